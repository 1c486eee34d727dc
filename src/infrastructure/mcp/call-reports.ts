/** What a request brings along: its signal, a way back, and whether its sender wants to hear of progress. */
export interface RequestExtra {
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly sendNotification: (notification: ReportNotification) => Promise<void>;
}

type ReportNotification =
  | {
      readonly method: 'notifications/progress';
      readonly params: { progressToken: string | number; progress: number; message: string };
    }
  | {
      readonly method: 'notifications/message';
      readonly params: { level: 'info'; logger: string; data: string };
    };

/** A tool that reports every line it reads must not fill a client that does not read. */
const MAX_REPORTS = 1_000;
const MAX_MESSAGE_LENGTH = 1_000;

/** Sends what a tool reports: as progress if the call asked for that, as a log if the client asked for one. */
export function callReports(
  { _meta, sendNotification }: RequestExtra,
  { tool, wantsLog }: { readonly tool: string; readonly wantsLog: boolean },
): { readonly onLog?: (message: string) => void } {
  const token = _meta?.progressToken;
  if (token === undefined && !wantsLog) return {};
  // A client that has gone is told nothing more, and its call is ended anyway.
  const send = (notification: ReportNotification): void =>
    void sendNotification(notification).catch(() => undefined);
  let reports = 0;
  return {
    onLog: (message) => {
      if (reports >= MAX_REPORTS) return;
      reports += 1;
      const data = message.slice(0, MAX_MESSAGE_LENGTH);
      if (token !== undefined) {
        const params = { progressToken: token, progress: reports, message: data };
        send({ method: 'notifications/progress', params });
      }
      if (wantsLog) send({ method: 'notifications/message', params: { level: 'info', logger: tool, data } });
    },
  };
}
