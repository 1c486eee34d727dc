import type { InjectedResult, Message } from '../../domain/message.js';
import type { Expectation, ExpectedResult } from './script.js';

const LONGEST_QUOTE = 500;

/** What is not as the script expects it, in words; undefined when all is well. */
export function unmetExpectation(expect: Expectation, last: Message | undefined): string | undefined {
  const text = textOf(last);
  const missing = expect.contains.filter((part) => !text.includes(part));
  if (missing.length > 0) {
    return `expected the last message to contain ${missing.map(quote).join(' and ')}; it is: ${quote(text)}`;
  }
  return expect.toolResults && unmetResults(expect.toolResults, last?.role === 'tool' ? last.results : []);
}

/** What an agent reads of a message. */
export function textOf(message: Message | undefined): string {
  if (!message) return '';
  return message.role === 'tool' ? message.results.map(({ output }) => output).join('\n') : message.content;
}

export function quote(text: string): string {
  const cut = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  return JSON.stringify(cut);
}

function unmetResults(
  expected: readonly ExpectedResult[],
  results: readonly InjectedResult[],
): string | undefined {
  if (expected.length !== results.length) {
    return `expected ${expected.length} tool results, got ${results.length}`;
  }
  return expected.flatMap((one, index) => unmetResult(one, results[index], index + 1))[0];
}

function unmetResult(expected: ExpectedResult, result: InjectedResult | undefined, number: number): string[] {
  const { output = '', tool = '', isError = false } = result ?? {};
  const found = `result ${number} is ${isError ? 'an error' : 'a success'} of ${quote(tool)}: ${quote(output)}`;
  const problems: string[] = [];
  if (expected.tool !== undefined && expected.tool !== tool)
    problems.push(`a result of ${quote(expected.tool)}`);
  if (expected.isError !== undefined && expected.isError !== isError) {
    problems.push(expected.isError ? 'an error' : 'a success');
  }
  const missing = expected.contains.filter((part) => !output.includes(part));
  problems.push(...missing.map((part) => `a result that contains ${quote(part)}`));
  return problems.map((problem) => `expected ${problem}; ${found}`);
}
