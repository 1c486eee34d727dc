import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { ApprovalRequest } from '../../src/domain/approval.js';
import {
  type ApprovalPage,
  type ApprovalPageOptions,
  openApprovalPage,
} from '../../src/infrastructure/approval/page/approval-page.js';
import { contextWith } from './fake-terminal.js';

export interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A page with real sockets, and requests to it that a browser would never send. */
export class PageFixture {
  private constructor(readonly page: ApprovalPage) {}

  static async open(options?: ApprovalPageOptions): Promise<PageFixture> {
    return new PageFixture(await openApprovalPage(options));
  }

  get token(): string {
    return new URL(this.page.link).hash.slice(1);
  }

  get host(): string {
    return new URL(this.page.link).host;
  }

  get authorization(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.token}` };
  }

  /** Puts a question on the page. */
  ask(asked: ApprovalRequest, signal?: AbortSignal, callId = 'call_001') {
    return this.page.gate.review(asked, { ...contextWith(signal), callId });
  }

  async send(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Reply> {
    const { hostname, port } = new URL(this.page.link);
    const sent = request({ host: hostname.replace(/[[\]]/g, ''), port, path, method, headers, agent: false });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return { status: response.statusCode, headers: response.headers, text };
  }

  async waiting(): Promise<{ readonly id: string; readonly plan_hash: string; readonly what: string }[]> {
    const { text } = await this.send('/api/waiting', { headers: this.authorization });
    return JSON.parse(text).waiting;
  }

  async firstId(): Promise<string> {
    return (await this.waiting())[0]?.id ?? '';
  }

  answer(id: string, body: object | string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send(`/api/waiting/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.authorization, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }
}
