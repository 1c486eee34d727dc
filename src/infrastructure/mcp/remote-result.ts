import type { Enforcement } from '../../domain/enforcement.js';
import type { Json } from '../../domain/json.js';
import type { DetailedOutput } from '../../ports/tool-handler.js';
import type { CallToolResult } from './sdk.js';

type Content = CallToolResult['content'][number];

/** What a server answered, as any tool's output: text as it is, also that of a resource; the rest described. */
export function remoteOutput(result: CallToolResult, enforcement: Enforcement | undefined): DetailedOutput {
  const { content, structuredContent, isError } = result;
  const text = content.map(described).join('\n');
  const message = text.split('\n', 1)[0]?.slice(0, 500) || 'the server said that it failed, and not why';
  return {
    text: text === '' && structuredContent ? JSON.stringify(structuredContent) : text,
    ...(structuredContent ? { data: structuredContent as Json } : {}),
    ...(isError ? { failure: { code: 'EXECUTION.TOOL.FAILED', message } } : {}),
    ...(enforcement ? { enforcement } : {}),
  };
}

function described(content: Content): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'image':
    case 'audio':
      return `[${content.type}, ${content.mimeType}, ${bytesOf(content.data)} bytes: not shown]`;
    case 'resource_link':
      return `[link to a resource: ${content.uri}]`;
    case 'resource':
      return resourceText(content.resource);
    default:
      return content satisfies never;
  }
}

function resourceText(resource: Extract<Content, { type: 'resource' }>['resource']): string {
  if ('text' in resource) return `[resource ${resource.uri}]\n${resource.text}`;
  return `[resource ${resource.uri}, ${bytesOf(resource.blob)} bytes: not shown]`;
}

function bytesOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}
