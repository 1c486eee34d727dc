import { own } from '../json/own.js';
import { BEDROCK_EVENTS } from '../stream-events/bedrock-events.js';
import type { JsonObject } from '../types.js';
import { EXAMPLE_CALL, wireExample } from './wire-example.js';
import type { WireCall, WireFormat, WireReading } from './wire-format.js';
import { endingOf, joinText, namedCall, objectOf, objectsOf, stringOf, wireReading } from './wire-values.js';

/** `output.message.content[]` with `toolUse`; also what InvokeModel gives for models that only write text. */
export const BEDROCK_CONVERSE: WireFormat = {
  id: 'bedrock_converse',
  title: 'Amazon Bedrock Converse',
  models: ['any model behind Bedrock Converse', 'Nova', 'Llama and Mistral (InvokeModel)'],
  example: wireExample({
    output: {
      message: {
        role: 'assistant',
        content: [
          { toolUse: { toolUseId: 'tooluse_1', name: EXAMPLE_CALL.name, input: EXAMPLE_CALL.arguments } },
        ],
      },
    },
    stopReason: 'tool_use',
  }),
  events: BEDROCK_EVENTS,
  read(body) {
    const message = objectOf(objectOf(body, 'output'), 'message');
    return message ? readMessage(message, stringOf(body, 'stopReason')) : readInvocation(body);
  },
};

function readMessage(message: JsonObject, reason: string | undefined): WireReading {
  const blocks = objectsOf(message, 'content');
  const last = blocks.at(-1);
  const ending = endingOf(reason);
  return {
    calls: blocks.flatMap(toolUse),
    text: joinText(blocks),
    cut: ending === 'cut' && last !== undefined && own(last, 'toolUse') !== undefined,
    refused: ending === 'refused',
  };
}

function toolUse(block: JsonObject): readonly WireCall[] {
  const use = objectOf(block, 'toolUse');
  return use ? namedCall(stringOf(use, 'name'), stringOf(use, 'toolUseId'), own(use, 'input')) : [];
}

/** The bodies of InvokeModel for Llama (`generation`) and Mistral (`outputs`). */
function readInvocation(body: JsonObject): WireReading | undefined {
  const generation = own(body, 'generation');
  if (typeof generation === 'string' && own(body, 'stop_reason') !== undefined) {
    return wireReading([], generation, stringOf(body, 'stop_reason'));
  }
  const [output] = objectsOf(body, 'outputs');
  if (!output || typeof own(output, 'text') !== 'string' || own(output, 'stop_reason') === undefined) {
    return undefined;
  }
  return wireReading([], joinText([output]), stringOf(output, 'stop_reason'));
}
