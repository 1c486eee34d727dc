// A ToolHandler: what the tool is, what a call would do, and what it does.
import { createTool } from 'toolgate';

export class WordCount {
  tool = createTool({
    name: 'word_count',
    description: 'Counts the words of a text file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string', minLength: 1 } },
      required: ['path'],
    },
    sideEffects: 'none',
    idempotent: true, // run again after a crash
  });

  // Changes nothing: what it returns is shown to whoever approves, hashed, and given to `run` as `action`.
  async plan({ path }, { sandbox }) {
    const allowed = await sandbox.resolvePath(path, 'read');
    return { kind: 'read-file', path: allowed.path };
  }

  // The arguments fit the schema by now. What this throws becomes a failed result that the agent reads.
  async run(_args, { action, sandbox, log }) {
    const { bytes } = await sandbox.readFile(await sandbox.resolvePath(action.path, 'read'));
    const words = new TextDecoder().decode(bytes).split(/\s+/).filter(Boolean).length;
    log(`read ${bytes.length} bytes`); // for people; the agent does not see it
    return { text: `${words} words`, data: { words } };
  }
}
