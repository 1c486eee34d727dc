import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../../../domain/json.js';
import type { AnswerReceipt, QueueApprovalGate, QueuedQuestion } from '../queue/queue-approval-gate.js';
import { type Admission, checkPlace, checkToken } from './check-request.js';
import type { EventFeed } from './event-feed.js';
import { HttpRefusal } from './http-refusal.js';
import { pageHeaders, renderPage } from './page-html.js';
import { detailsToJson, questionToJson, settledToJson } from './question-json.js';
import { readAnswer } from './read-answer.js';
import { readJsonBody } from './read-json-body.js';

/** What the routes serve, and to whom. */
export interface PageScope {
  readonly queue: QueueApprovalGate;
  readonly feed: EventFeed;
  readonly admission: Admission;
}

const QUESTION = /^\/api\/waiting\/([\w-]{1,64})$/;
/** As many answers as a person may want to look back on. */
const SHOWN_ANSWERS = 50;

/** Answers one request, or throws an HttpRefusal. */
export async function routeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  scope: PageScope,
): Promise<void> {
  const { queue, feed, admission } = scope;
  checkPlace(request.headers, admission);
  const route = `${request.method} ${request.url}`;
  // The page alone tells nothing, so it needs no token; a browser could not send one yet.
  if (route === 'GET /') return sendPage(response);
  checkToken(request.headers, admission);
  if (route === 'GET /api/waiting')
    return sendJson(response, 200, { waiting: queue.waiting.map(questionToJson) });
  if (route === 'GET /api/events') return feed.add(response, { event: 'snapshot', data: snapshotOf(queue) });
  const [, id] = QUESTION.exec(request.url ?? '') ?? [];
  if (id === undefined) throw new HttpRefusal(404, 'there is nothing here');
  if (request.method === 'GET') return sendJson(response, 200, await detailsToJson(questionOf(queue, id)));
  if (request.method === 'POST') return takeAnswer(request, response, { queue, id });
  throw new HttpRefusal(405, 'a question can be read (GET) and answered (POST)');
}

export function sendJson(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

function sendPage(response: ServerResponse): void {
  const { html, nonce } = renderPage();
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(nonce) });
  response.end(html);
}

function snapshotOf(queue: QueueApprovalGate): Json {
  return {
    waiting: queue.waiting.map(questionToJson),
    settled: queue.settled.slice(-SHOWN_ANSWERS).map(settledToJson),
  };
}

async function takeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { queue, id }: { readonly queue: QueueApprovalGate; readonly id: string },
): Promise<void> {
  const body = await readJsonBody(request);
  const { planHash, decision } = readAnswer(body, questionOf(queue, id));
  const receipt = queue.answer(id, planHash, decision);
  if (receipt !== 'accepted') throw refusalOf(receipt);
  sendJson(response, 200, { id, accepted: true });
}

/** Throws for a question that is over: what it was about is gone with it. */
function questionOf(queue: QueueApprovalGate, id: string): QueuedQuestion {
  const question = queue.find(id);
  if (question) return question;
  throw refusalOf(queue.receiptFor(id));
}

function refusalOf(receipt: Exclude<AnswerReceipt, 'accepted'>): HttpRefusal {
  switch (receipt) {
    case 'late':
      return new HttpRefusal(409, 'somebody else has answered this question');
    case 'withdrawn':
      return new HttpRefusal(410, 'this question was answered elsewhere, or needs no answer any more');
    case 'unknown-question':
      return new HttpRefusal(404, 'there is no such question');
    case 'other-plan':
      return new HttpRefusal(422, 'plan_hash is not the plan that this question is about');
    default:
      throw receipt satisfies never;
  }
}
