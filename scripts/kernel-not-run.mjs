// The Jest runner of the kernel project where nothing can be run in bubblewrap: it says of each suite that it was
// not run, and why. Under CI that is a failure: a promise that nobody checked must not look kept.
import { bubblewrapProblem } from './bubblewrap.mjs';

const IS_FAILURE = !['', '0', 'false'].includes(process.env.CI ?? '');

/** @typedef {{ readonly path: string }} Suite */

// biome-ignore lint/style/noDefaultExport: Jest takes a runner's default export.
export default class KernelNotRun {
  isSerial = true;

  /**
   * @param {readonly Suite[]} suites
   * @param {unknown} _watcher
   * @param {(suite: Suite) => Promise<void>} onStart
   * @param {(suite: Suite, result: object) => Promise<void>} onResult
   * @param {(suite: Suite, error: { message: string, stack: string }) => Promise<void>} onFailure
   */
  async runTests(suites, _watcher, onStart, onResult, onFailure) {
    const message = `not run: ${bubblewrapProblem()}`;
    for (const suite of suites) {
      await onStart(suite);
      if (IS_FAILURE) await onFailure(suite, { message, stack: message });
      else await onResult(suite, notRun(suite.path, message));
    }
    process.stderr.write(`\nkernel: ${suites.length} suite${suites.length === 1 ? '' : 's'} ${message}\n`);
  }
}

/** @param {string} path @param {string} title */
function notRun(path, title) {
  const assertion = { ancestorTitles: [], title, fullName: title, status: 'pending', failureMessages: [] };
  const now = Date.now();
  return {
    testFilePath: path,
    skipped: true,
    leaks: false,
    openHandles: [],
    perfStats: { start: now, end: now, runtime: 0, slow: false },
    snapshot: {
      added: 0,
      fileDeleted: false,
      matched: 0,
      unchecked: 0,
      uncheckedKeys: [],
      unmatched: 0,
      updated: 0,
    },
    numFailingTests: 0,
    numPassingTests: 0,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [{ ...assertion, numPassingAsserts: 0, failureDetails: [], invocations: 0, location: null }],
  };
}
