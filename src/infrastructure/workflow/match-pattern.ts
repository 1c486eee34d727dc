import { createContext, runInContext } from 'node:vm';

const MAX_MATCH_MS = 250;

/** A pattern of the file. AWF's are Go's, which may escape more than a strict (`u`) pattern lets one. */
export function compilePattern(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

/** Whether a text matches; `too-slow` for a pattern that backtracks for ever, which nothing else would stop. */
export function matchPattern(source: string, text: string): boolean | 'too-slow' {
  const { flags } = compilePattern(source);
  const context = createContext(Object.assign(Object.create(null), { source, flags, text }));
  try {
    return runInContext('new RegExp(source, flags).test(text)', context, { timeout: MAX_MATCH_MS }) === true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'too-slow';
    throw error;
  }
}
