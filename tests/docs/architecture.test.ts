import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { OrchestratorEvent } from '../../src/application/events.js';
import { SystemClock } from '../../src/infrastructure/system/system-clock.js';
import { RoutingToolExecutor } from '../../src/infrastructure/tools/routing-executor.js';
import { agentOf, runStep, toolOf } from '../support/loop-fixture.js';

describe('docs/architecture.md', () => {
  it('draws the events of two parallel calls, a denial and a time-out as they come', async () => {
    const wait = (ms: number) => () => new Promise((done) => setTimeout(() => done('ok'), ms));
    const stuck = { ...toolOf('stuck', untilAborted), timeoutMs: 120 };
    const tools = [
      toolOf('slow', wait(60)),
      toolOf('forbid', undefined, { approval: 'deny' }),
      toolOf('quick', wait(1)),
      stuck,
    ];
    const calls = ['slow', 'forbid', 'quick', 'stuck'].map((name) => [name, {}] as const);
    const ports = { sandbox: {}, files: {}, network: {} } as never;
    const executor = new RoutingToolExecutor(Object.assign({ clock: new SystemClock() }, ports));
    const { events, state } = await runStep({ agent: agentOf(calls, 'done'), tools }, { executor });
    expect(events.map(line)).toEqual(drawn());
    expect(state.toolCalls.map(({ tool }) => tool)).toEqual(['slow', 'forbid', 'quick', 'stuck']);
  });
});

function untilAborted(_args: object, signal: AbortSignal): Promise<never> {
  return new Promise((_done, fail) => {
    signal.addEventListener('abort', () => fail(new Error('stopped')), { once: true });
  });
}

function drawn(): string[] {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const block = /```events\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  return block.trim().split('\n');
}

function line(event: OrchestratorEvent): string {
  switch (event.type) {
    case 'turn-start':
      return `turn-start ${event.turn}`;
    case 'turn-end':
      return `turn-end ${event.turn} calls=${event.calls}`;
    case 'call-start':
      return `call-start ${event.tool}`;
    case 'call-end':
      return `call-end ${event.tool} ${event.result.error?.code ?? 'ok'}`;
    case 'step-end':
      return `step-end ${event.state.stoppedBy}`;
    default:
      return event.type;
  }
}
