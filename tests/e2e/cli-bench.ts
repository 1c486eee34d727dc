import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { JsonObject } from '../../src/domain/json.js';
import { type CliFixture, FIXTURES } from './cli-fixtures.js';
import { ModelServer } from './model-server.js';

/** The command lines that tests/e2e/run.mjs was asked for. */
export function askedFor(): readonly CliFixture[] {
  const names = (process.env.TOOLGATE_E2E ?? '').split(',');
  return FIXTURES.filter(({ name }) => names.includes(name));
}

/** A real command line with a home of its own, a model on loopback, and a workspace with a note in it. */
export class CliBench implements AsyncDisposable {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #program: string;

  private constructor(
    private readonly fixture: CliFixture,
    private readonly folder: string,
    readonly model: ModelServer,
  ) {
    const home = join(folder, 'home');
    this.workspace = join(folder, 'workspace');
    mkdirSync(this.workspace);
    writeFileSync(join(this.workspace, 'note.txt'), 'the code is 4711\n');
    writeHome(home, fixture, model.url);
    this.#program = writeProgram(folder, fixture, model.url);
    this.env = { HOME: home, XDG_STATE_HOME: join(folder, 'state'), ...fixture.env(model.url, home) };
  }

  static async open(fixture: CliFixture): Promise<CliBench> {
    const model = await ModelServer.start(fixture);
    return new CliBench(fixture, mkdtempSync(join(tmpdir(), 'toolgate-e2e-')), model);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.model[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A workflow of one step, `work`, with these keys besides what every test has. */
  workflowFile(step: JsonObject = {}, tools: readonly JsonObject[] = FILE_TOOLS): string {
    const file = join(this.folder, 'workflow.json');
    writeFileSync(file, JSON.stringify(this.#workflow(step, tools)));
    return file;
  }

  #workflow(step: JsonObject, tools: readonly JsonObject[]): JsonObject {
    const { name: provider, model } = this.fixture;
    const work = {
      name: 'work',
      type: 'agent',
      provider,
      prompt: 'Look at the note, please.',
      tools: tools.map(({ name }) => name ?? ''),
      options: { model, binary: this.#program },
      ...step,
    };
    return { name: 'e2e', version: '1', tools, steps: [work] };
  }
}

const FILE_TOOLS: readonly JsonObject[] = [
  { name: 'read_file', builtin: true, approval: 'auto', restrictions: { paths: ['**'] } },
  { name: 'write_file', builtin: true, approval: 'prompt', restrictions: { paths: ['**'] } },
];

function writeHome(home: string, { files = () => ({}) }: CliFixture, url: string): void {
  for (const [path, text] of Object.entries({ '.keep': '', ...files(url) })) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
}

function writeProgram(folder: string, { name, wrapper }: CliFixture, url: string): string {
  const program = programOf(name);
  if (!wrapper) return program;
  const wrapped = join(folder, name);
  writeFileSync(wrapped, wrapper(program, url), { mode: 0o755 });
  return wrapped;
}

/** Where tests/e2e/run.mjs has installed it. */
function programOf(name: string): string {
  const clis = JSON.parse(readFileSync(resolve('tests/e2e/clis.json'), 'utf8'));
  return join(process.env.TOOLGATE_E2E_CACHE ?? '', name, 'node_modules', '.bin', clis[name].program);
}
