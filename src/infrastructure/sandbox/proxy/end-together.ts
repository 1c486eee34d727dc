import type { Socket } from 'node:net';

/**
 * Ends each of two sockets when the other one breaks. One that was only closed in order is left alone: its last
 * bytes may still be on their way. Call the result to separate them again.
 */
export function endTogether(one: Socket, other: Socket): () => void {
  const separateOne = endAfter(one, other);
  const separateOther = endAfter(other, one);
  return () => {
    separateOne();
    separateOther();
  };
}

function endAfter(first: Socket, second: Socket): () => void {
  const onClose = (hadError: boolean) => {
    // Reset, not closed: what was cut off must not look like an end.
    if (hadError || !first.readableEnded) second.resetAndDestroy();
  };
  first.once('close', onClose);
  return () => first.off('close', onClose);
}
