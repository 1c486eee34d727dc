import { BoundSandbox } from '../../src/infrastructure/tools/bound-sandbox.js';
import type { ToolHandler } from '../../src/ports/tool-handler.js';
import type { ToolSandbox } from '../../src/ports/tool-sandbox.js';
import { FakeToolCalls } from '../support/fake-tool-call.js';

export { describeToolHandlerContract } from '../../src/testing/tool-handler-contract.js';

/** What a built-in handler needs of its sandbox, over fakes. */
export function contractSandbox(handler: ToolHandler, calls = new FakeToolCalls()): ToolSandbox {
  const { sandbox, files, network } = calls;
  return new BoundSandbox(
    calls.entry(handler),
    { sandbox, files, network },
    {
      signal: new AbortController().signal,
      running: { onProcess: () => undefined, nextOutputFile: () => undefined },
    },
  );
}
