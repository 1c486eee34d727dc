import type { RuleExample } from '../approval.js';
import type { JsonObject } from '../json.js';
import type { PlannedAction, PlannedCommand } from '../plan.js';
import { readShell } from '../shell-reader.js';
import { type CallFacts, factsOf, lexicalNames } from './call-facts.js';
import type { RuleSubject } from './rule-subject.js';

/** Examples are written as seen from some workspace; which one makes no difference to a pattern. */
const WORKSPACE = '/workspace';

/** What a rule would be told of an example. Throws an Error for one that says nothing about a call of the tool. */
export function exampleFacts(example: RuleExample, subject: RuleSubject | undefined): CallFacts {
  const args = typeof example === 'string' ? argumentsOf(example, subject) : example;
  const action = actionOf(args, subject);
  return factsOf({ tool: '', arguments: args, action }, WORKSPACE);
}

function argumentsOf(example: string, subject: RuleSubject | undefined): JsonObject {
  switch (subject) {
    case 'command':
      return { command: example };
    case 'path':
      return { path: example };
    case 'request': {
      const [, method, url = ''] = /^(?:([A-Za-z]+)\s+)?(\S+)$/.exec(example.trim()) ?? [];
      return { url, ...(method === undefined ? {} : { method }) };
    }
    case undefined:
      throw new Error('is a text; for this tool write arguments, as a mapping');
    default:
      return subject satisfies never;
  }
}

function actionOf(args: JsonObject, subject: RuleSubject | undefined): PlannedAction {
  const { command, path, url, method } = args;
  if (subject === 'command' && typeof command === 'string') return processOf(command);
  if (subject === 'path' && typeof path === 'string') {
    return { kind: 'read-file', path: `/${lexicalNames(path, WORKSPACE).join('/')}` };
  }
  if (subject !== 'request') return { kind: 'handler' };
  if (typeof url !== 'string' || !URL.canParse(url))
    throw new Error('is not a URL such as https://example.org/x');
  return { kind: 'http', method: typeof method === 'string' ? method : 'GET', url };
}

function processOf(line: string): PlannedAction {
  const reading = readShell(line, { parameters: false });
  if (!reading.ok) return { kind: 'process', argv: [], cwd: '', commands: [], unread: reading.problem };
  const commands = reading.commands.map(({ words }) => commandOf(words.map((word) => word.join(''))));
  const assigns = commands.some(({ path }) => /^\w+=/.test(path));
  return {
    kind: 'process',
    argv: [],
    cwd: '',
    commands,
    ...(assigns ? { unread: 'it sets a variable' } : {}),
  };
}

/** A bare name is taken for the program of that name; which file that is, only a machine can tell. */
function commandOf([program = '', ...args]: readonly string[]): PlannedCommand {
  return program.includes('/') ? { path: program, args } : { name: program, path: program, args };
}
