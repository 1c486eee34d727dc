import { bubblewrapProblem } from './scripts/bubblewrap.mjs';

/** @type {import('jest').InitialProjectOptions} */
const common = {
  testEnvironment: 'node',
  roots: ['<rootDir>/tests'],
  extensionsToTreatAsEsm: ['.ts', '.css', '.html'],
  transform: { '^.+\\.ts$': '@swc/jest', '/assets/': '<rootDir>/scripts/text-transform.mjs' },
  // Sources say `./x.js` as Node wants it; Jest reads the `.ts` beside it, and texts by their plain name.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1', '^(\\.{1,2}/.*)\\?text$': '$1' },
};

/** @type {import('jest').Config} */
export default {
  // Here and not in the projects: Jest reads it nowhere else.
  testTimeout: 20_000,
  // Much of the time is spent waiting for shells, sandboxes and browsers, so no core is left idle for Jest itself.
  maxWorkers: '100%',
  // A worker that is begun anew now and then: modules of finished suites stay in its memory, gigabytes in the end.
  workerIdleMemoryLimit: '700MB',
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/tests/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/tests/kernel/', '<rootDir>/tests/e2e/'],
    },
    // Real AI command lines, which tests/e2e/run.mjs installs.
    ...(process.env.TOOLGATE_E2E
      ? [{ ...common, displayName: 'e2e', testMatch: ['<rootDir>/tests/e2e/**/*.test.ts'] }]
      : []),
    // What needs a working bubblewrap: real escapes, really held.
    {
      ...common,
      displayName: 'kernel',
      testMatch: ['<rootDir>/tests/kernel/**/*.test.ts'],
      ...(bubblewrapProblem() ? { runner: '<rootDir>/scripts/kernel-not-run.mjs' } : {}),
    },
  ],
};
