import { relative } from 'node:path';
import { DeniedError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { createTool } from '../../domain/tool.js';
import type { AllowedPath } from '../../ports/file-access.js';
import type { DetailedOutput, ToolContext, ToolHandler } from '../../ports/tool-handler.js';
import { IN_PROCESS_FILES } from './in-process-enforcement.js';
import { type LineRange, readLines } from './read-lines.js';
import { isWellFormed } from './tool-output.js';

const PATH = {
  type: 'string',
  minLength: 1,
  description: 'The file, relative to the workspace or absolute.',
};

const READ_PARAMETERS = {
  type: 'object',
  properties: {
    path: PATH,
    offset: { type: 'integer', minimum: 1, description: 'The first line to read, counted from 1.' },
    limit: { type: 'integer', minimum: 1, description: 'How many lines to read; all that fit if absent.' },
  },
  required: ['path'],
  additionalProperties: false,
} as const;

/** Reads a text file or some of its lines; a file too long for one answer says where to read on. */
export function readFileTool(name = 'read_file'): ToolHandler {
  return {
    tool: createTool({
      name,
      description: 'Reads a text file, or some lines of it.',
      parameters: READ_PARAMETERS,
      sideEffects: 'none',
      idempotent: true,
    }),
    plan: async (args, { sandbox }) => {
      const { path } = await sandbox.resolvePath(String(args.path), 'read');
      return { kind: 'read-file', path };
    },
    run: async (args, context) => {
      const path = await resolveAgain(String(args.path), 'read', context);
      const lines = await readLines(path, rangeOf(args), context.sandbox);
      return { ...lines, enforcement: IN_PROCESS_FILES };
    },
  };
}

function rangeOf({ offset, limit }: JsonObject): LineRange {
  return {
    first: typeof offset === 'number' ? offset : 1,
    ...(typeof limit === 'number' ? { count: limit } : {}),
  };
}

const WRITE_PARAMETERS = {
  type: 'object',
  properties: {
    path: PATH,
    content: { type: 'string', description: 'The whole new content, or what is added to the end.' },
    mode: {
      type: 'string',
      enum: ['write', 'append'],
      description: '"write" (if absent) replaces the file, "append" adds to its end.',
    },
  },
  required: ['path', 'content'],
  additionalProperties: false,
} as const;

/** Writes a file whole or adds to its end; a reader sees the old content or the new, never a part. */
export function writeFileTool(name = 'write_file'): ToolHandler {
  return {
    tool: createTool({
      name,
      description: 'Writes a file, or adds to its end. Missing folders are made.',
      parameters: WRITE_PARAMETERS,
      sideEffects: 'local',
      destructive: true,
      idempotent: false,
    }),
    plan: async (args, { sandbox }) => {
      const { content, append } = contentOf(args);
      const { path } = await sandbox.resolvePath(String(args.path), 'write');
      return { kind: 'write-file', path, bytes: Buffer.byteLength(content), append };
    },
    run: write,
  };
}

async function write(args: JsonObject, context: ToolContext): Promise<DetailedOutput> {
  const { content, append } = contentOf(args);
  const path = await resolveAgain(String(args.path), 'write', context);
  await context.sandbox.writeFile(path, content, { append });
  const bytes = `${Buffer.byteLength(content)} bytes${append ? ' appended' : ''}`;
  return {
    text: `File written: ${shownPath(path.path, context.sandbox.workspace)} (${bytes})`,
    enforcement: IN_PROCESS_FILES,
  };
}

function contentOf({ content, mode }: JsonObject): { readonly content: string; readonly append: boolean } {
  const text = String(content);
  if (!isWellFormed(text)) {
    throw new DeniedError('the content holds half a character (a lone surrogate), which no file can hold');
  }
  return { content: text, append: mode === 'append' };
}

/** Resolves once more at the time of use: a link that changed since the approval leads nowhere. */
async function resolveAgain(
  path: string,
  mode: 'read' | 'write',
  { action, sandbox }: ToolContext,
): Promise<AllowedPath> {
  const allowed = await sandbox.resolvePath(path, mode);
  if ('path' in action && action.path === allowed.path) return allowed;
  throw new DeniedError(
    `"${path}" leads elsewhere than when the call was approved; ask again`,
    'EXECUTION.APPROVAL.STALE',
  );
}

function shownPath(path: string, workspace: string): string {
  const inside = relative(workspace, path);
  return inside === '' || inside.startsWith('..') ? path : inside;
}
