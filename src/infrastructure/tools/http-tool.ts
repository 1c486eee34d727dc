import { DeniedError, messageOf, ToolgateError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { createTool } from '../../domain/tool.js';
import type { DetailedOutput, ToolContext, ToolHandler } from '../../ports/tool-handler.js';
import type { ToolSandbox } from '../../ports/tool-sandbox.js';
import { exchange, type HttpReply, type HttpRequest } from './http/http-exchange.js';
import { checkHeaders } from './http/http-headers.js';
import { redirectOf } from './http/http-redirect.js';
import { replyOutput } from './http/http-text.js';
import { isWellFormed } from './tool-output.js';

const PARAMETERS = {
  type: 'object',
  properties: {
    url: { type: 'string', minLength: 1, description: 'An http or https URL.' },
    method: {
      type: 'string',
      enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'],
      description: 'GET if absent.',
    },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    body: { type: 'string', description: 'What is sent; not with GET or HEAD.' },
  },
  required: ['url'],
  additionalProperties: false,
} as const;

const MAX_REDIRECTS = 5;
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Makes an HTTP request to a permitted host; every redirect is checked like a new request. */
export function httpTool(name = 'http_request'): ToolHandler {
  return {
    tool: createTool({
      name,
      description: 'Makes an HTTP request and returns status, headers and body.',
      parameters: PARAMETERS,
      sideEffects: 'external',
      destructive: true,
      idempotent: false,
    }),
    plan: async (args, { sandbox }) => {
      const { method, url } = requestOf(args);
      const target = await allow(url, sandbox);
      return { kind: 'http', method, url: target.url.href };
    },
    run,
  };
}

async function run(args: JsonObject, context: ToolContext): Promise<DetailedOutput> {
  const { action } = context;
  const request = requestOf(args);
  if (action.kind !== 'http' || action.method !== request.method) {
    throw new DeniedError('not run: this is not the request that was approved', 'EXECUTION.APPROVAL.STALE');
  }
  return replyOutput(await follow({ ...request, url: action.url }, context));
}

async function follow(first: HttpRequest, { sandbox, signal, log }: ToolContext): Promise<HttpReply> {
  const maxBodyBytes = Math.max(MAX_BODY_BYTES, sandbox.permissions.limits.maxOutputBytes);
  let request = first;
  for (let redirects = 0; ; redirects++) {
    const target = await allow(request.url, sandbox, redirects > 0);
    const reply = await exchange(request, target, { signal, maxBodyBytes });
    const next = redirectOf(request, reply);
    if (!next) return reply;
    if (redirects === MAX_REDIRECTS) {
      throw new ToolgateError(
        'EXECUTION.TOOL.FAILED',
        `more than ${MAX_REDIRECTS} redirects, the last to ${next.url}`,
      );
    }
    log(`${reply.status}: redirected to ${next.url}`);
    request = next;
  }
}

async function allow(url: string, sandbox: ToolSandbox, isRedirect = false) {
  try {
    refuseUserInfo(url);
    return await sandbox.allowUrl(url);
  } catch (error) {
    if (!isRedirect) throw error;
    throw new DeniedError(`the redirect to ${url} is refused: ${messageOf(error)}`);
  }
}

function refuseUserInfo(url: string): void {
  if (!URL.canParse(url)) return;
  const { username, password } = new URL(url);
  if (username !== '' || password !== '') {
    throw new DeniedError(
      'a URL with a user name or password in it is refused; send an authorization header',
    );
  }
}

function requestOf(args: JsonObject): HttpRequest {
  const method = typeof args.method === 'string' ? args.method : 'GET';
  const headers = checkHeaders(args.headers);
  const request = { method, url: String(args.url), headers };
  if (typeof args.body !== 'string') return request;
  if (method === 'GET' || method === 'HEAD') throw invalid(`a ${method} request has no body`);
  if (!isWellFormed(args.body)) throw invalid('the body holds half a character (a lone surrogate)');
  return { ...request, body: args.body };
}

function invalid(problem: string): ToolgateError {
  return new ToolgateError('EXECUTION.CALL.INVALID_ARGUMENTS', problem);
}
