/** What a request brings along: its signal, and whether its sender wants to hear of progress. */
export interface RequestExtra {
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly sendNotification: (notification: {
    readonly method: 'notifications/progress';
    readonly params: { progressToken: string | number; progress: number; message: string };
  }) => Promise<void>;
}

/** A tool that reports every line it reads must not fill a client that does not read. */
const MAX_NOTIFICATIONS = 1_000;
const MAX_MESSAGE_LENGTH = 1_000;

/** Sends what a tool reports, to a client that asked for it. */
export function progressSender({ _meta, sendNotification }: RequestExtra): {
  readonly onLog?: (message: string) => void;
} {
  const token = _meta?.progressToken;
  if (token === undefined) return {};
  let progress = 0;
  return {
    onLog: (message) => {
      if (progress >= MAX_NOTIFICATIONS) return;
      progress += 1;
      const params = { progressToken: token, progress, message: message.slice(0, MAX_MESSAGE_LENGTH) };
      // A client that has gone is told nothing more, and its call is ended anyway.
      sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}
