import { describe, expect, it } from '@jest/globals';
import { DEFAULT_TOOL_OPTIONS } from '../../src/domain/workflow.js';
import { agentOf, gateOf, toolOf } from '../support/loop-fixture.js';
import { Fixture, step, workflow } from '../support/run-fixture.js';

describe('WorkflowRunner', () => {
  it('runs the steps in order and lets a later one see what an earlier one said', async () => {
    const second = agentOf('second done');
    const fixture = new Fixture({ one: agentOf('first done'), two: second });
    const prompt = 'After {{states.one.output}} and {{.states.one.Output}}: {{inputs.x}}';
    const flow = workflow([
      step('one', { onSuccess: { kind: 'step', name: 'two' } }),
      step('two', { prompt }),
    ]);
    const outcome = await fixture.run(flow, { inputs: { x: 'go' } });
    expect(outcome).toMatchObject({ runId: 'run-1', status: 'success' });
    expect([...outcome.states.keys()]).toEqual(['one', 'two']);
    expect(second.requests[0]?.messages[0]).toEqual({
      role: 'user',
      content: 'After first done and first done: go',
    });
  });

  it('fills in what is said at the end', async () => {
    const message = 'It said {{.states.one.Output}} to {{inputs.who}} in {{env.PLACE}}';
    const flow = workflow([step('one', { onSuccess: { kind: 'end', status: 'success', message } })]);
    const given = { inputs: { who: '{{env.PLACE}}' }, env: { PLACE: 'Rome' } };
    expect(await new Fixture({ one: agentOf('hello') }).run(flow, given)).toMatchObject({
      status: 'success',
      message: 'It said hello to {{env.PLACE}} in Rome',
    });
  });

  it('fails, with what was done, when something in what is said at the end has no value', async () => {
    const message = '{{states.one.output}} in {{env.PLACE}}';
    const flow = workflow([step('one', { onSuccess: { kind: 'end', status: 'success', message } })]);
    const outcome = await new Fixture({ one: agentOf('hello') }).run(flow);
    expect(outcome).toMatchObject({
      status: 'failure',
      message: expect.stringMatching(/\{\{env.PLACE\}\} has no value.*\[WORKFLOW.TEMPLATE.MISSING_VALUE\]/),
    });
    expect(outcome.states.get('one')?.output).toBe('hello');
  });

  it('goes where a failed step says, and takes a limit for a failure', async () => {
    const fixture = new Fixture(
      { one: agentOf([['t', {}]], [['t', { n: 2 }]], 'x'), mend: agentOf('mended') },
      [toolOf('t')],
    );
    const toolOptions = { ...DEFAULT_TOOL_OPTIONS, maxCalls: 1 };
    const flow = workflow([
      step('one', { tools: ['t'], toolOptions, onFailure: { kind: 'step', name: 'mend' } }),
      step('mend'),
    ]);
    const outcome = await fixture.run(flow);
    expect(outcome.status).toBe('success');
    expect(outcome.states.get('one')?.stoppedBy).toBe('max_calls');
    expect(outcome.states.get('mend')?.output).toBe('mended');
  });

  it('ends the run, not only the step, when whoever is asked stops it', async () => {
    const fixture = new Fixture({ one: agentOf([['ask', {}]], 'x'), two: agentOf('never') }, [
      toolOf('ask', undefined, { approval: 'prompt' }),
    ]);
    fixture.gate = gateOf('abort');
    const flow = workflow([
      step('one', { tools: ['ask'], onFailure: { kind: 'step', name: 'two' } }),
      step('two'),
    ]);
    const outcome = await fixture.run(flow);
    expect(outcome.status).toBe('failure');
    expect([...outcome.states.keys()]).toEqual(['one']);
  });

  it('cancels on an interrupted question, which is asked again when the run goes on', async () => {
    const agents = { one: agentOf([['ask', {}]], 'done') };
    const tools = [toolOf('ask', undefined, { approval: 'prompt' })];
    const first = new Fixture(agents, tools);
    first.gate = gateOf({ kind: 'abort', reason: 'Ctrl-C', interrupted: true });
    expect(await first.run(workflow([step('one', { tools: ['ask'] })]))).toMatchObject({
      status: 'cancelled',
    });
    const again = new Fixture(agents, tools, await first.journal.read('run-1'));
    again.gate = gateOf('approved');
    expect(await again.resume()).toMatchObject({ status: 'success' });
  });

  it('refuses a workflow without steps, and a later step without a provider, before anything is recorded', async () => {
    const fixture = new Fixture({ one: agentOf('x') });
    await expect(fixture.run(workflow([]))).rejects.toMatchObject({ code: 'WORKFLOW.VALIDATION.SCHEMA' });
    const flow = workflow([step('one', { onSuccess: { kind: 'step', name: 'two' } }), step('two')]);
    await expect(fixture.run(flow)).rejects.toThrow('no agent two');
    expect(await fixture.journal.list()).toEqual([]);
  });

  it('has an empty environment if none is given', async () => {
    const runner = new Fixture({ one: agentOf('x') }).runner();
    const request = { workflow: workflow([step('one')]), inputs: {}, workspace: '/workspace' };
    const run = runner.run(request, { signal: new AbortController().signal });
    let next = await run.next();
    while (!next.done) next = await run.next();
    expect(next.value).toMatchObject({ status: 'success' });
  });

  it("checks a step's options filled in, and those that wait for an earlier step when their turn comes", async () => {
    const agent = agentOf('large');
    const fixture = new Fixture({ one: agent, two: agent });
    const flow = workflow([
      step('one', { options: { model: '{{inputs.model}}' }, onSuccess: { kind: 'step', name: 'two' } }),
      step('two', { options: { model: '{{states.one.output}}' } }),
    ]);
    await fixture.run(flow, { inputs: { model: 'small' } });
    expect(fixture.made).toMatchObject([{ model: 'small' }, { model: 'small' }, { model: 'large' }]);
  });

  it('ends a workflow whose states go round for ever', async () => {
    const fixture = new Fixture({ one: agentOf('again') });
    const flow = workflow([step('one', { onSuccess: { kind: 'step', name: 'one' } })]);
    await expect(fixture.run(flow)).rejects.toMatchObject({ code: 'EXECUTION.STEP.FAILED' });
  });

  it('records the run from its beginning to its end, and audits every record', async () => {
    const fixture = new Fixture({ one: agentOf('done') });
    await fixture.run(workflow([step('one')]));
    const types = (await fixture.journal.read('run-1')).map(({ type }) => type);
    expect(types).toEqual([
      'run-started',
      'step-started',
      'outcome',
      'intent',
      'outcome',
      'step-ended',
      'run-ended',
    ]);
    expect(fixture.audited).toEqual(types);
  });

  it('ends the record of a run that broke as one that can be resumed', async () => {
    const fixture = new Fixture({ one: agentOf('x') });
    const flow = workflow([step('one', { prompt: '{{states.missing.output}}' })]);
    await expect(fixture.run(flow)).rejects.toMatchObject({ code: 'WORKFLOW.TEMPLATE.MISSING_VALUE' });
    expect((await fixture.journal.read('run-1')).at(-1)).toMatchObject({
      type: 'run-ended',
      status: 'cancelled',
    });
  });

  it('writes nothing for a resume that cannot begin, so that the next one can', async () => {
    const agents = { one: agentOf([['ask', {}]], 'done') };
    const tools = [toolOf('ask', undefined, { approval: 'prompt' })];
    const first = new Fixture(agents, tools);
    first.gate = gateOf({ kind: 'abort', reason: 'Ctrl-C', interrupted: true });
    await first.run(workflow([step('one', { tools: ['ask'] })]));
    const left = await first.journal.read('run-1');
    const without = new Fixture({}, tools, left);
    await expect(without.resume()).rejects.toThrow('no agent one');
    expect(await without.journal.read('run-1')).toEqual(left);
    const again = new Fixture(agents, tools, await without.journal.read('run-1'));
    again.gate = gateOf('approved');
    expect(await again.resume()).toMatchObject({ status: 'success' });
  });

  it('can resume a run whose tools could not be opened', async () => {
    const agents = { one: agentOf('done') };
    const broken = new Fixture(agents);
    const source = { open: () => Promise.reject(new Error('no server')) };
    await expect(broken.run(workflow([step('one')]), {}, source)).rejects.toThrow('no server');
    const again = new Fixture(agents, [], await broken.journal.read('run-1'));
    expect(await again.resume()).toMatchObject({ status: 'success' });
  });

  it('finds a missing variable of a later step before the first one runs', async () => {
    const one = agentOf('x');
    const fixture = new Fixture({ one, two: agentOf('y') });
    const flow = workflow([step('one'), step('two', { prompt: 'to {{env.NO_SUCH_VARIABLE}}' })]);
    await expect(fixture.run(flow)).rejects.toThrow(
      /^Step "two": \{\{env\.NO_SUCH_VARIABLE\}\} has no value/,
    );
    expect(one.requests).toEqual([]);
    expect(await fixture.journal.list()).toEqual([]);
  });

  it("teaches a model without tools the workflow's own format, and reads it", async () => {
    const agent = { ...agentOf('OVER TO add {"a": 1} OUT', 'done'), toolProtocol: 'none' as const };
    const fixture = new Fixture({ one: agent }, [toolOf('add')]);
    const formats = [{ id: 'radio', open: 'OVER TO {name}', close: 'OUT', body: { kind: 'json' } }];
    const flow = workflow([step('one', { tools: ['add'], toolFormat: 'radio' })], { formats });
    const { states } = await fixture.run(flow);
    expect(JSON.stringify(agent.requests[0]?.messages)).toContain('OVER TO');
    expect(states.get('one')).toMatchObject({ output: 'done', toolCalls: [{ tool: 'add' }] });
  });

  it('says before the first step that a step uses a tool nobody has', async () => {
    const fixture = new Fixture({ one: agentOf('x') });
    const run = fixture.run(workflow([step('one', { tools: ['nope'] })]));
    await expect(run).rejects.toMatchObject({ code: 'WORKFLOW.VALIDATION.MISSING_TOOL' });
  });
});

describe('WorkflowRunner.resume', () => {
  async function crashed(keep: number, flow = workflow([step('one', { tools: ['t'] })])) {
    const first = new Fixture({ one: agentOf([['t', {}]], 'done') }, [toolOf('t')]);
    await first.run(flow);
    return (await first.journal.read('run-1')).slice(0, keep);
  }

  it('goes on with what is left and writes nothing twice', async () => {
    const fixture = new Fixture({ one: agentOf([['t', {}]], 'done') }, [toolOf('t')], await crashed(5));
    expect(await fixture.resume()).toMatchObject({ status: 'success' });
    const types = (await fixture.journal.read('run-1')).map(({ type }) => type);
    expect(types.filter((type) => type === 'step-started')).toHaveLength(1);
    expect(types).toContain('run-resumed');
  });

  it('refuses a run that is over', async () => {
    const fixture = new Fixture({}, [], await crashed(99));
    await expect(fixture.resume()).rejects.toMatchObject({ code: 'USER.RUN.FINISHED' });
  });

  it('refuses a changed file unless told to accept it', async () => {
    const records = await crashed(3);
    const changed = workflow([step('one', { prompt: 'something else' })], { hash: 'h2' });
    const fixture = new Fixture({ one: agentOf('done') }, [], records);
    await expect(fixture.resume({ workflow: changed })).rejects.toMatchObject({ code: 'USER.RUN.CHANGED' });
    expect(await fixture.resume({ workflow: changed, acceptChanges: true })).toMatchObject({
      status: 'success',
    });
  });

  it('wants secret inputs again', async () => {
    const inputs = [{ name: 'token', type: 'string', required: true, secret: true }] as const;
    const flow = workflow([step('one')], { inputs });
    const first = new Fixture({ one: agentOf('done') });
    await first.run(flow, { inputs: { token: 'abcd1234' } });
    const records = (await first.journal.read('run-1')).slice(0, 3);
    const fixture = new Fixture({ one: agentOf('done') }, [], records);
    await expect(fixture.resume()).rejects.toMatchObject({ code: 'USER.INPUT.MISSING' });
    expect(await fixture.resume({ secretInputs: { token: 'abcd1234' } })).toMatchObject({
      status: 'success',
    });
  });

  it('ends what the dead process left running, and says what it could not end', async () => {
    const records = [...(await crashed(6))];
    const at = records.length;
    for (const pid of [12, 13]) {
      records.push({ seq: at + pid - 11, at: 1, type: 'process', id: 'one/1/1/call', pid, startTime: 's' });
    }
    const fixture = new Fixture({ one: agentOf([['t', {}]], 'done') }, [toolOf('t')], records);
    await fixture.resume();
    expect(fixture.reaped).toEqual([12, 13]);
    const warnings = fixture.events.flatMap((event) => (event.type === 'run-warning' ? [event.message] : []));
    expect(warnings).toEqual(['process 13, started by one/1/1/call, could not be ended and still runs']);
  });
});
