import { describe, expect, it } from '@jest/globals';
import { foldRun } from '../../src/application/fold-run.js';
import type { ApprovalDecision, ApprovalRequest } from '../../src/domain/approval.js';
import type { JsonObject } from '../../src/domain/json.js';
import { MemoryJournal } from '../../src/infrastructure/journal/memory-run-journal.js';
import type { ApprovalGate, ReviewContext } from '../../src/ports/approval-gate.js';
import { agentOf, gateOf, runStep, SteppingClock, toolOf } from '../support/loop-fixture.js';

type Answer = (request: ApprovalRequest, context: ReviewContext) => unknown;

interface Question extends ApprovalRequest {
  readonly context: ReviewContext;
  readonly answer: (decision: ApprovalDecision) => void;
}

/** A gate that only collects questions, so that a test answers them in the order it likes. */
class OpenGate implements ApprovalGate {
  readonly questions: Question[] = [];
  readonly #waiting = new Set<() => void>();

  review(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision> {
    return new Promise((resolve) => {
      this.questions.push({ ...request, context, answer: resolve });
      for (const wake of this.#waiting) wake();
    });
  }

  async until(count: number): Promise<readonly Question[]> {
    while (this.questions.length < count) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
    return this.questions;
  }
}

function gateWith(answer: Answer): ApprovalGate {
  return { review: async (request, context) => answer(request, context) as ApprovalDecision };
}

function yes(
  { planHash }: { readonly planHash: string },
  more: Partial<Extract<ApprovalDecision, { kind: 'approved' }>> = {},
): ApprovalDecision {
  return { kind: 'approved', planHash, scope: 'once', source: 'user', ...more };
}

/** A tool that asks, and notes what it was run with. */
function askingTool(name = 'write') {
  const ran: JsonObject[] = [];
  const tool = toolOf(
    name,
    (args) => {
      ran.push(args);
      return 'done';
    },
    { approval: 'prompt' },
  );
  return { ran, tool };
}

const twoCalls = [
  ['write', { n: 1 }],
  ['write', { n: 2 }],
] as const;

describe('several calls that need an answer', () => {
  it('do not make Node warn of a leak, however many they are', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    const { tool } = askingTool();
    const gate = new OpenGate();
    const calls = Array.from({ length: 20 }, (_, n) => ['write', { n }] as const);
    const run = runStep({ agent: agentOf(calls, 'ok'), tools: [tool] }, { gate });
    for (const question of await gate.until(20)) question.answer(yes(question));
    await run;
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('are asked about before the first answer is there', async () => {
    const { ran, tool } = askingTool();
    const gate = new OpenGate();
    const run = runStep({ agent: agentOf(twoCalls, 'ok'), tools: [tool] }, { gate });
    const [first, second] = await gate.until(2);
    second?.answer(yes(second));
    first?.answer({ kind: 'denied', reason: 'not this one' });
    const { state } = await run;
    expect(ran).toEqual([{ n: 2 }]);
    expect(state.toolCalls.map(({ result }) => result.error?.code)).toEqual([
      'EXECUTION.APPROVAL.DENIED',
      undefined,
    ]);
  });

  it('are not run when their answers are exchanged', async () => {
    const { ran, tool } = askingTool();
    const gate = new OpenGate();
    const run = runStep({ agent: agentOf(twoCalls, 'ok'), tools: [tool] }, { gate });
    const [first, second] = await gate.until(2);
    if (first && second) {
      first.answer(yes(second));
      second.answer(yes(first));
    }
    const { state } = await run;
    expect(ran).toEqual([]);
    expect(state.toolCalls.map(({ result }) => result.error?.code)).toEqual(
      Array(2).fill('EXECUTION.APPROVAL.STALE'),
    );
  });

  it('are asked about once if they are the same and the answer holds for the run', async () => {
    const same = [twoCalls[0], twoCalls[0], twoCalls[0]];
    const answers = { run: 1, once: 3 } as const;
    for (const [scope, count] of Object.entries(answers)) {
      const { ran, tool } = askingTool();
      let asked = 0;
      const gate = gateWith((request) => {
        asked += 1;
        return yes(request, { scope: scope as 'run' | 'once' });
      });
      await runStep({ agent: agentOf(same, 'ok'), tools: [tool] }, { gate });
      expect({ scope, asked, ran: ran.length }).toEqual({ scope, asked: count, ran: 3 });
    }
  });

  it('are all withdrawn when the answer to one of them ends the run', async () => {
    const { ran, tool } = askingTool();
    const gate = new OpenGate();
    const journal = new MemoryJournal();
    const run = runStep({ agent: agentOf(twoCalls, 'ok'), tools: [tool] }, { gate, journal });
    const [first, second] = await gate.until(2);
    second?.answer({ kind: 'abort', reason: 'enough' });
    const { state } = await run;
    expect(state.stoppedBy).toBe('aborted');
    expect(ran).toEqual([]);
    expect(first?.context.signal.aborted).toBe(true);
    expect(foldRun(await journal.read('run-1')).waiting).toEqual([]);
  });

  it('keep the answers they have while others wait, also over a restart', async () => {
    const { ran, tool } = askingTool();
    const journal = new MemoryJournal();
    const agent = agentOf(twoCalls, 'ok');
    const later = gateWith((request) =>
      request.plan.arguments.n === 1 ? yes(request) : { kind: 'pending' },
    );
    const session = await journal.open('r', 'create');
    const first = await runStep({ agent, tools: [tool] }, { gate: later, journal, session });
    await session.close();
    expect(first.state.stoppedBy).toBe('suspended');
    expect(foldRun(await journal.read('r')).waiting).toMatchObject([{ plan: { arguments: { n: 2 } } }]);
    const again = await journal.open('r', 'continue');
    const gate = gateOf('approved');
    const second = await runStep({ agent, tools: [tool] }, { gate, journal, session: again });
    expect(gate.asked).toEqual(['policy write{"n":2}']);
    expect(second.state.stoppedBy).toBe('completed');
    expect(ran).toEqual([{ n: 1 }, { n: 2 }]);
  });
});

describe('arguments that a person changed', () => {
  const oneCall = [['write', { n: 1 }]] as const;

  it('are asked about again in their final form, and the model is told of both', async () => {
    const { ran, tool } = askingTool();
    const gate = gateWith((request) =>
      request.plan.arguments.n === 1 ? yes(request, { arguments: { n: 7 } }) : yes(request),
    );
    const agent = agentOf(oneCall, 'ok');
    const { state, events } = await runStep({ agent, tools: [tool] }, { gate });
    expect(ran).toEqual([{ n: 7 }]);
    expect(events.filter(({ type }) => type === 'approval-ask')).toHaveLength(2);
    expect(state.toolCalls[0]).toMatchObject({ arguments: { n: 7 }, result: { approval: 'user' } });
    const told = JSON.stringify(agent.requests[1]?.messages.at(-1));
    expect(told).toMatch(/changed the arguments of this call from .*n.*1.* to .*n.*7/);
  });

  it('are not run if the second question is answered with no', async () => {
    const { ran, tool } = askingTool();
    const gate = gateWith((request) =>
      request.plan.arguments.n === 1
        ? yes(request, { arguments: { n: 7 } })
        : { kind: 'denied', reason: 'no' },
    );
    const { state } = await runStep({ agent: agentOf(oneCall, 'ok'), tools: [tool] }, { gate });
    expect(ran).toEqual([]);
    expect(state.toolCalls[0]?.result.error?.code).toBe('EXECUTION.APPROVAL.DENIED');
  });

  it('are not run where the policy denies them', async () => {
    const { ran, tool } = askingTool();
    const rules = [{ mode: 'deny', when: { arguments: { n: 7 } } }] as const;
    const entry = { ...tool, approval: { default: 'prompt', rules } } as const;
    const gate = gateWith((request) => yes(request, { arguments: { n: 7 } }));
    const { state } = await runStep({ agent: agentOf(oneCall, 'ok'), tools: [entry] }, { gate });
    expect(ran).toEqual([]);
    expect(state.toolCalls[0]?.result.output).toMatch(/changed the arguments[\s\S]*Denied by policy/);
  });

  it('are approved at once if they are what was shown', async () => {
    const { ran, tool } = askingTool();
    const gate = gateWith((request) => yes(request, { arguments: { n: 1 } }));
    const { state } = await runStep({ agent: agentOf(oneCall, 'ok'), tools: [tool] }, { gate });
    expect(ran).toEqual([{ n: 1 }]);
    expect(state.toolCalls[0]?.result.output).toBe('done');
  });

  it('end in a no when they are changed without end', async () => {
    const { ran, tool } = askingTool();
    let next = 1;
    const gate = gateWith((request) => {
      next += 1;
      return yes(request, { arguments: { n: next } });
    });
    const { state } = await runStep({ agent: agentOf(oneCall, 'ok'), tools: [tool] }, { gate });
    expect(ran).toEqual([]);
    expect(state.toolCalls[0]?.result.error?.message).toMatch(/changed 10 times/);
  });

  it('are the same question again after a restart', async () => {
    const { ran, tool } = askingTool();
    const journal = new MemoryJournal();
    const agent = agentOf(oneCall, 'ok');
    const first = gateWith((request) =>
      request.plan.arguments.n === 1 ? yes(request, { arguments: { n: 7 } }) : { kind: 'pending' },
    );
    const session = await journal.open('r', 'create');
    await runStep({ agent, tools: [tool] }, { gate: first, journal, session });
    await session.close();
    const again = await journal.open('r', 'continue');
    const gate = gateOf('approved');
    await runStep({ agent, tools: [tool] }, { gate, journal, session: again });
    expect(gate.asked).toEqual(['policy write{"n":7}']);
    expect(ran).toEqual([{ n: 7 }]);
  });
});

describe('a question with a time limit', () => {
  const oneCall = [['write', { n: 1 }]] as const;

  it('is a no when nobody answers in time, and the gate is told', async () => {
    const { ran, tool } = askingTool();
    const gate = new OpenGate();
    const clock = { ...new SteppingClock(), now: Date.now, newRunId: () => 'r', elapsed: () => 0 };
    const { state } = await runStep(
      { agent: agentOf(oneCall, 'ok'), tools: [tool], limits: { approvalTimeoutMs: 20 } },
      { gate, clock },
    );
    expect(ran).toEqual([]);
    expect(state.toolCalls[0]?.result.error?.code).toBe('EXECUTION.APPROVAL.TIMED_OUT');
    expect(state.stoppedBy).toBe('approval_unavailable');
    expect(gate.questions[0]?.context.signal.aborted).toBe(true);
  });

  it('has the same deadline after a restart', async () => {
    const { tool } = askingTool();
    const journal = new MemoryJournal();
    const request = { agent: agentOf(oneCall, 'ok'), tools: [tool], limits: { approvalTimeoutMs: 60_000 } };
    const deadlines: unknown[] = [];
    const gate = gateWith((_request, { deadline }) => {
      deadlines.push(deadline);
      return { kind: 'pending' };
    });
    for (const mode of ['create', 'continue'] as const) {
      const session = await journal.open('r', mode);
      await runStep(request, { gate, journal, session });
      await session.close();
    }
    expect(deadlines[0]).toEqual(expect.any(Number));
    expect(deadlines[1]).toBe(deadlines[0]);
  });

  it('takes an answer that was left in time, also if the run goes on later', async () => {
    const { ran, tool } = askingTool();
    const journal = new MemoryJournal();
    const request = { agent: agentOf(oneCall, 'ok'), tools: [tool], limits: { approvalTimeoutMs: 100 } };
    const session = await journal.open('r', 'create');
    await runStep(request, { gate: gateOf('pending'), journal, session });
    await session.close();
    const again = await journal.open('r', 'continue');
    const clock = new SteppingClock(1_000_000);
    // What was left is known to the gate at once, and needs nobody to ask.
    const gate = gateWith((question, { signal }) => (signal.aborted ? yes(question) : undefined));
    await runStep(request, { gate, journal, session: again, clock });
    expect(ran).toEqual([{ n: 1 }]);
  });

  it('is a no at once if the time is over when the run goes on', async () => {
    const { ran, tool } = askingTool();
    const journal = new MemoryJournal();
    const request = { agent: agentOf(oneCall, 'ok'), tools: [tool], limits: { approvalTimeoutMs: 100 } };
    const session = await journal.open('r', 'create');
    await runStep(request, { gate: gateOf('pending'), journal, session });
    await session.close();
    const again = await journal.open('r', 'continue');
    const clock = new SteppingClock(1_000_000);
    const { state } = await runStep(request, { gate: gateOf('denied'), journal, session: again, clock });
    expect(ran).toEqual([]);
    expect(state.toolCalls[0]?.result.error?.code).toBe('EXECUTION.APPROVAL.TIMED_OUT');
  });
});
