import type { LanguageModelV3Content, LanguageModelV3Message } from '@ai-sdk/provider';
import { isJsonObject, type Json } from '../domain/json.js';
import { parseJson } from '../domain/parse-json.js';

type PromptPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number];

/** A part of a reply as it is given back to the model: what was metadata is an option now. */
export function rawPart(part: LanguageModelV3Content): readonly PromptPart[] {
  const signed = 'providerMetadata' in part ? part.providerMetadata : undefined;
  const options = signed ? { providerOptions: signed } : {};
  switch (part.type) {
    case 'text':
      // Some providers refuse a text without text, unless it carries a signature.
      return part.text === '' && !signed ? [] : [{ type: 'text', text: part.text, ...options }];
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, ...options }];
    case 'file':
      return [{ type: 'file', mediaType: part.mediaType, data: base64(part.data), ...options }];
    case 'tool-call':
      return [{ ...callPart(part), ...options }];
    case 'tool-result':
      return [{ ...resultPart(part), ...options }];
    case 'source':
    case 'tool-approval-request':
      return [];
  }
  return part satisfies never;
}

/** Text that is no JSON stays text: the gate refuses it with words that the model can read. */
export function argumentsOf(input: string): Json {
  return input.trim() === '' ? {} : (parseJson(input) ?? input);
}

function callPart(part: Extract<LanguageModelV3Content, { type: 'tool-call' }>): PromptPart {
  const { toolCallId, toolName, providerExecuted } = part;
  const input = argumentsOf(part.input);
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    // Broken arguments are told in the call's result; providers take only objects back.
    input: isJsonObject(input) ? input : {},
    ...(providerExecuted ? { providerExecuted } : {}),
  };
}

function resultPart(part: Extract<LanguageModelV3Content, { type: 'tool-result' }>): PromptPart {
  const { toolCallId, toolName, result, isError } = part;
  const output = { type: isError ? ('error-json' as const) : ('json' as const), value: result };
  return { type: 'tool-result', toolCallId, toolName, output };
}

/** The journal holds JSON. */
function base64(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString('base64');
}
