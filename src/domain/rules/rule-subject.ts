import type { RuleCondition } from '../approval.js';
import type { ToolKind } from '../workflow.js';
import { readCommandText } from './command-text.js';
import { readGlobs } from './glob.js';

/** What the calls of a tool are about, and so what its rules can speak of. */
export type RuleSubject = 'command' | 'path' | 'request';

/** Absent for a handler of the host program: what it plans is its own. */
export function subjectOf(kind: ToolKind): RuleSubject | undefined {
  if (kind.type === 'handler') return undefined;
  if (kind.type === 'command' || kind.builtin === 'shell') return 'command';
  return kind.builtin === 'http_request' ? 'request' : 'path';
}

/** The conditions that mean something for a subject, beside `when`, which always does. */
export const CONDITIONS: Readonly<Record<RuleSubject, readonly (keyof RuleCondition)[]>> = {
  command: ['command'],
  path: ['paths'],
  request: ['hosts', 'methods'],
};

/** A rule as it is written on a command line: first words, a path pattern, or a host with or without a method. */
export function readRuleText(text: string, subject: RuleSubject | undefined): RuleCondition {
  switch (subject) {
    case 'command':
      return { command: readCommandText(text) };
    case 'path':
      readGlobs(text);
      return { paths: [text] };
    case 'request':
      return readRequestText(text);
    case undefined:
      throw new Error('cannot be told: what its calls touch is known to the handler only');
    default:
      return subject satisfies never;
  }
}

/** The form of a host in a list: no scheme, no path, no user. */
export const HOST_TEXT = /^[^\s/@?#\\]+$/;

function readRequestText(text: string): RuleCondition {
  const [, method, host = ''] = /^(?:([A-Za-z]+)\s+)?(\S*)$/.exec(text.trim()) ?? [];
  if (!HOST_TEXT.test(host))
    throw new Error('is not a host, nor a method and a host; write "GET api.example.com"');
  return { hosts: [host], ...(method === undefined ? {} : { methods: [method.toUpperCase()] }) };
}
