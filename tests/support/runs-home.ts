import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRunner } from '../../src/application/call-runner.js';
import { createContainer, loadWorkflow } from '../../src/container.js';
import type { JsonObject } from '../../src/domain/json.js';
import { TOKENS } from '../../src/ports/tokens.js';
import { temporaryFolder } from './temporary-folder.js';

const WORKFLOW = `
name: greedy
sandbox: { on_unavailable: warn }
tools:
  - name: write_file
    builtin: true
    approval: auto
    restrictions: { paths: ["{{inputs.home}}/**"] }
  - name: read_file
    builtin: true
    approval: auto
    restrictions: { paths: ["{{inputs.home}}/**"] }
  - name: listed
    builtin: shell
    approval: auto
    restrictions: { paths: ["{{inputs.home}}/**"], commands: [cat, grep, mv, cp, tar] }
  - name: anything
    builtin: shell
    approval: auto
    restrictions: { paths: ["{{inputs.home}}/**"], commands: any }
steps: []
`;

/** A home that was given to the tools whole, with the state folder in it. */
export class RunsHome {
  readonly home = temporaryFolder();
  readonly state = join(this.home, 'state');
  readonly workspace = join(this.home, 'workspace');

  constructor() {
    mkdirSync(this.workspace);
    writeFileSync(join(this.home, 'flow.yaml'), WORKFLOW);
    writeFileSync(join(this.home, 'notes.md'), 'NOTES');
  }

  /** A journal as another run would have left it. */
  writeRun(): string {
    const folder = join(this.state, 'toolgate', 'other', 'runs', '1');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'journal.jsonl'), 'SECRET');
    return join(folder, 'journal.jsonl');
  }

  async call(tool: string, args: JsonObject) {
    const before = process.env.XDG_STATE_HOME;
    process.env.XDG_STATE_HOME = this.state;
    try {
      return await this.#run(tool, args);
    } finally {
      if (before === undefined) delete process.env.XDG_STATE_HOME;
      else process.env.XDG_STATE_HOME = before;
    }
  }

  async #run(tool: string, args: JsonObject) {
    const { workspace, home } = this;
    const container = await createContainer({ journal: 'file', workspace });
    const workflow = await loadWorkflow(join(home, 'flow.yaml'));
    const runner = container.get<CallRunner>(TOKENS.CallRunner);
    const { signal } = new AbortController();
    const request = { workflow, workspace, inputs: { home }, env: {}, tool, arguments: args };
    const run = runner.run({ ...request, durability: 'crash' }, { signal });
    for (;;) {
      const { done, value } = await run.next();
      if (done) return value;
    }
  }
}
