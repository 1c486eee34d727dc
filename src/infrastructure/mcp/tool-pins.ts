import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ToolgateError } from '../../domain/errors.js';
import { canonicalJson, isJsonObject, type Json } from '../../domain/json.js';
import type { McpServerDeclaration } from '../../domain/workflow.js';

/** What a server said of its tools when they were approved: a text for each name, so that people can compare. */
export type Pins = Readonly<Record<string, string>>;

/** Keeps pins outside of every workspace: an agent that could write them would approve what it likes. */
export interface ToolPins {
  read(server: string): Promise<Pins | undefined>;
  write(server: string, pins: Pins): Promise<void>;
}

/** Names a server by what is started or reached, and for which workspace: another command is another server. */
export function serverKey({ name, transport }: McpServerDeclaration, workspace: string): string {
  return sha256(canonicalJson({ name, workspace, transport: transport as unknown as Json })).slice(0, 32);
}

/** What a server says of one of its tools. */
interface OfferedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly annotations?: unknown;
}

/** All that a model is told of a tool and that a decision may rest on, in one text. */
export function pinOf({ name, description = '', inputSchema, annotations = {} }: OfferedTool): string {
  const told = { annotations, description, inputSchema, name } as Json;
  return canonicalJson(told);
}

/** What the text says; nothing if it is no such text. */
export function readPin(pin: string): Json | undefined {
  try {
    return JSON.parse(pin) as Json;
  } catch {
    return undefined;
  }
}

function pinsOf(tools: readonly OfferedTool[]): Pins {
  return Object.fromEntries(tools.map((tool) => [tool.name, pinOf(tool)]));
}

/** What was seen first is what whoever wrote the server into the file has approved. */
export async function approvedPins(
  pins: ToolPins,
  server: string,
  { tools, changes }: { readonly tools: readonly OfferedTool[]; readonly changes?: 'show' | 'accept' },
): Promise<Pins> {
  const now = pinsOf(tools);
  const known = await pins.read(server);
  if (!known) await pins.write(server, now);
  if (!known || changes === undefined) return known ?? now;
  const approved = changes === 'accept' ? await acceptShown(pins, server, { known, now }) : known;
  await pins.write(shownOf(server), now);
  return approved;
}

/** A server may say one thing while somebody looks and another when they agree: only what they saw is approved. */
async function acceptShown(
  pins: ToolPins,
  server: string,
  { known, now }: { readonly known: Pins; readonly now: Pins },
): Promise<Pins> {
  const shown = (await pins.read(shownOf(server))) ?? {};
  const approved = Object.entries(now).flatMap(([name, pin]): readonly (readonly [string, string])[] => {
    if (ownOf(shown, name) === pin) return [[name, pin]];
    const before = ownOf(known, name);
    return before === undefined ? [] : [[name, before]];
  });
  const accepted = Object.fromEntries(approved);
  await pins.write(server, accepted);
  return accepted;
}

/** The names are a stranger's: `constructor` may be one of them. */
export function ownOf(pins: Pins, name: string): string | undefined {
  return Object.hasOwn(pins, name) ? pins[name] : undefined;
}

function shownOf(server: string): string {
  return `${server}.shown`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** For runs that are kept nowhere: a server is compared with itself only. */
export class MemoryToolPins implements ToolPins {
  readonly #pins = new Map<string, Pins>();

  async read(server: string): Promise<Pins | undefined> {
    return this.#pins.get(server);
  }

  async write(server: string, pins: Pins): Promise<void> {
    this.#pins.set(server, pins);
  }
}

/** One file a server, beside the runs. What cannot be read is an error: it may say that a tool has changed. */
export class FileToolPins implements ToolPins {
  readonly #folder: string;

  constructor(home: string) {
    this.#folder = join(home, 'mcp-tools');
  }

  async read(server: string): Promise<Pins | undefined> {
    const file = this.#fileOf(server);
    try {
      const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
      if (isJsonObject(parsed)) return parsed as Pins;
      throw new Error('it holds no pins');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      const message = `What was approved of an MCP server cannot be read from ${file}: ${messageOf(error)}`;
      throw new ToolgateError('SYSTEM.IO.READ_FAILED', message, { cause: error });
    }
  }

  async write(server: string, pins: Pins): Promise<void> {
    const file = this.#fileOf(server);
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(draft, JSON.stringify(pins), { mode: 0o600, flag: 'wx' });
      await rename(draft, file);
    } catch (error) {
      const message = `What was approved of an MCP server cannot be kept in ${file}: ${messageOf(error)}`;
      throw new ToolgateError('SYSTEM.IO.WRITE_FAILED', message, { cause: error });
    }
  }

  #fileOf(server: string): string {
    return join(this.#folder, `${server}.json`);
  }
}
