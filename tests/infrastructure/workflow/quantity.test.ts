import { describe, expect, it } from '@jest/globals';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';
import { listProblems } from './problems-of.js';

const withTimeout = (timeout: string) => `tools: [{ name: a, timeout: ${timeout} }]`;
const withMemory = (memory: string) => `tools: [{ name: a, restrictions: { memory: ${memory} } }]`;

describe('durationOf', () => {
  it.each([
    ['30', 30_000],
    ['0.5', 500],
    ['"30s"', 30_000],
    ['30s', 30_000],
    ['1m30s', 90_000],
    ['500ms', 500],
    ['2h', 7_200_000],
    ['1.5s', 1500],
    ['596h', 2_145_600_000],
  ])('reads %s', (written, ms) => {
    expect(parseWorkflow(withTimeout(written)).tools[0]?.timeoutMs).toBe(ms);
  });

  it.each([
    '1_000',
    '0',
    '-1',
    '0s',
    '"30"',
    '30 s',
    '1d',
    's',
    '30S',
    '""',
    'true',
    '[30]',
    '.inf',
    '597h',
    '0.0001',
    '1e400',
  ])('refuses %s', (written) => {
    expect(listProblems(withTimeout(written))).toEqual([
      expect.stringContaining('WORKFLOW.VALIDATION.SCHEMA'),
    ]);
  });
});

describe('sizeOf', () => {
  it.each([
    ['1024', 1024],
    ['512MiB', 536_870_912],
    ['64KiB', 65_536],
    ['1GB', 1_000_000_000],
    ['1.5 KiB', 1536],
    ['100B', 100],
  ])('reads %s', (written, bytes) => {
    expect(parseWorkflow(withMemory(written)).tools[0]?.restrictions.memoryBytes).toBe(bytes);
  });

  it.each(['0', '-5', '1.5', '512M', '512mib', '5 cows', '0B', '"1024"', '9999999999999GiB', '1_000'])(
    'refuses %s',
    (written) => {
      expect(listProblems(withMemory(written))).toEqual([
        expect.stringContaining('WORKFLOW.VALIDATION.SCHEMA'),
      ]);
    },
  );
});
