import type { Json, JsonObject } from '../../../src/domain/json.js';
import { events, json } from './answers.js';
import type { ModelWire, WireTurn } from './model-wire.js';

const USAGE = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };

/** Calls as the API makes them in parallel: the first part alone has a signature. */
export function partsOf({ text, calls = [] }: WireTurn): readonly JsonObject[] {
  const said = text === undefined ? [] : [{ text }];
  const made = calls.map(({ name, arguments: args }, index) => ({
    functionCall: { name, args },
    ...(index === 0 ? { thoughtSignature: `sig-${name}==` } : {}),
  }));
  return [...said, ...made];
}

export function responseOf(
  parts: readonly Json[],
  finishReason?: string,
  usageMetadata: JsonObject = USAGE,
): JsonObject {
  const candidate = {
    content: { role: 'model', parts },
    index: 0,
    ...(finishReason ? { finishReason } : {}),
  };
  return { candidates: [candidate], usageMetadata, modelVersion: 'gemini-3-pro-preview' };
}

/** One response a part, texts in two halves, as the API streams them. */
export function responsesOf(parts: readonly JsonObject[], finishReason = 'STOP'): readonly JsonObject[] {
  const pieces = parts.flatMap((part) => {
    if (typeof part.text !== 'string') return [part];
    const middle = Math.ceil(part.text.length / 2);
    return [{ text: part.text.slice(0, middle) }, { text: part.text.slice(middle) }];
  });
  return pieces.map((part, index) =>
    index === pieces.length - 1 ? responseOf([part], finishReason) : responseOf([part]),
  );
}

export const GOOGLE_WIRE: ModelWire = {
  provider: 'google',
  env: { GEMINI_API_KEY: 'key-of-google-1234' },
  options: { model: 'gemini-3-pro-preview' },
  answer: (turn, stream) => {
    const parts = partsOf(turn);
    return stream ? events(responsesOf(parts)) : json(responseOf(parts, 'STOP'));
  },
  beginning: (text) => events([responseOf([{ text }])], 'hang'),
  broken: (text) => events([responseOf([{ text }])], 'reset'),
  error: (status, message) => json({ error: { code: status, message, status: 'SOME_ERROR' } }, status),
  results: (body) =>
    partsIn((body.contents as readonly JsonObject[]).at(-1)).flatMap(({ functionResponse }) => {
      const response = (functionResponse as JsonObject | undefined)?.response as JsonObject | undefined;
      if (!response) return [];
      return [{ output: String(response.error ?? response.output), isError: 'error' in response }];
    }),
  callable: ({ tools = [], toolConfig }) =>
    JSON.stringify(toolConfig ?? {}).includes('NONE')
      ? []
      : (tools as readonly JsonObject[]).flatMap(({ functionDeclarations }) =>
          (functionDeclarations as readonly JsonObject[]).map(({ name }) => String(name)),
        ),
  replayed: (body) =>
    (body.contents as readonly JsonObject[]).filter(({ role }) => role === 'model').map(partsIn),
  spoken: partsOf,
};

function partsIn(content: JsonObject | undefined): readonly JsonObject[] {
  return (content?.parts ?? []) as readonly JsonObject[];
}
