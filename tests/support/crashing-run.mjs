// A process for the durability tests: runs or resumes a workflow, and can end itself with SIGKILL right after the
// n-th record was written. argv: a JSON object { file, workflow?, workspace, script, resume?, killAfter?, answer?,
// sandbox? }.
import { createContainer, loadWorkflow, resolveInputs, TOKENS } from '../../dist/index.js';

const {
  file,
  workflow: frozen,
  workspace,
  script,
  resume,
  killAfter,
  answer,
  sandbox,
} = JSON.parse(process.argv[2]);
const container = await createContainer({ journal: 'file', workspace, sandbox });
const gate = {
  async review({ planHash, reason }, { signal }) {
    if (reason.kind === 'in-doubt') return { kind: 'denied', reason: 'nobody is there to say' };
    if (answer) return { kind: 'approved', planHash, scope: 'once', source: 'user' };
    // Somebody is being asked, and takes their time.
    const timer = setInterval(() => undefined, 1000);
    await new Promise((done) => signal.addEventListener('abort', done));
    clearInterval(timer);
    return { kind: 'denied', reason: 'cancelled' };
  },
};
const inner = container.get(TOKENS.RunJournal);
const journal = {
  read: (...args) => inner.read(...args),
  list: () => inner.list(),
  inspect: (runId) => inner.inspect(runId),
  async open(...args) {
    const session = await inner.open(...args);
    return {
      runId: session.runId,
      folder: session.folder,
      records: session.records,
      close: () => session.close(),
      append(entry) {
        const record = session.append(entry);
        if (record.seq === killAfter) process.kill(process.pid, 'SIGKILL');
        return record;
      },
    };
  },
};
container.rebind(TOKENS.ApprovalGate).toConstantValue(gate);
container.rebind(TOKENS.RunJournal).toConstantValue(journal);

const runner = container.get(TOKENS.WorkflowRunner);
const { signal } = new AbortController();
const run = resume ? runner.resume({ runId: resume, env: process.env }, { signal }) : await start();
let next = await run.next();
for (; !next.done; next = await run.next()) {
  if (next.value.type === 'run-start') console.log(JSON.stringify({ runId: next.value.runId }));
  if (next.value.type === 'run-warning') console.log(JSON.stringify({ warning: next.value.message }));
}
const { status, states } = next.value;
const calls = [...states.values()].flatMap(({ toolCalls }) =>
  toolCalls.map(({ id, result }) => ({ id, success: result.success, code: result.error?.code })),
);
console.log(JSON.stringify({ status, calls }));

async function start() {
  const workflow = frozen ?? (await loadWorkflow(file));
  const inputs = await resolveInputs(workflow, {}, { workspace });
  const request = { workflow, inputs, workspace, env: process.env };
  return runner.run({ ...request, provider: 'scripted', providerOptions: { script } }, { signal });
}
