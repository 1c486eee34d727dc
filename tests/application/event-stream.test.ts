import { describe, expect, it } from '@jest/globals';
import { EventStream } from '../../src/application/event-stream.js';

type Emit = (event: number) => void;

function streamOf(produce: (emit: Emit) => Promise<string>, leave: () => void = () => undefined) {
  return new EventStream<number, string>({ start: produce, leave });
}

/** Events of a producer that the test holds in its hand. */
function held() {
  let emit: Emit = () => undefined;
  let end: (result: string) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  let left = 0;
  const stream = streamOf(
    (given) => {
      emit = given;
      return new Promise((resolve, reject) => {
        end = resolve;
        fail = reject;
      });
    },
    () => {
      left += 1;
      end('left early');
    },
  );
  return {
    stream,
    emit: (event: number) => emit(event),
    end: (result: string) => end(result),
    fail: (error: Error) => fail(error),
    timesLeft: () => left,
  };
}

async function readAll(stream: AsyncGenerator<number, string, void>) {
  const events: number[] = [];
  for (;;) {
    const next = await stream.next();
    if (next.done) return { events, result: next.value };
    events.push(next.value);
  }
}

describe('EventStream', () => {
  it('gives every event in order, then the result', async () => {
    const stream = streamOf(async (emit) => {
      emit(1);
      emit(2);
      await Promise.resolve();
      emit(3);
      return 'done';
    });
    expect(await readAll(stream)).toEqual({ events: [1, 2, 3], result: 'done' });
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  it('starts nothing before somebody reads', async () => {
    let started = 0;
    const stream = streamOf(async () => {
      started += 1;
      return '';
    });
    await stream.return('unread');
    expect(await stream.next()).toEqual({ value: undefined, done: true });
    expect(started).toBe(0);
  });

  it('never makes the producer wait for a slow reader', async () => {
    const { stream, emit, end } = held();
    const first = stream.next();
    for (let event = 1; event <= 1000; event += 1) emit(event);
    end('done');
    expect(await first).toEqual({ value: 1, done: false });
    const { events, result } = await readAll(stream);
    expect(events).toHaveLength(999);
    expect(result).toBe('done');
  });

  it('answers several readers who wait at once in the order they asked', async () => {
    const { stream, emit, end } = held();
    const asked = [stream.next(), stream.next(), stream.next(), stream.next()];
    emit(1);
    emit(2);
    end('done');
    expect(await Promise.all(asked)).toEqual([
      { value: 1, done: false },
      { value: 2, done: false },
      { value: 'done', done: true },
      { value: undefined, done: true },
    ]);
  });

  it('throws a failure after the events before it, once', async () => {
    const { stream, emit, fail } = held();
    const first = stream.next();
    emit(1);
    fail(new Error('broken'));
    expect(await first).toEqual({ value: 1, done: false });
    await expect(stream.next()).rejects.toThrow('broken');
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  it('tells the producer when the reader leaves, and waits until it has ended', async () => {
    const { stream, emit, timesLeft } = held();
    const reading = (async () => {
      for await (const event of stream) if (event === 1) break;
    })();
    emit(1);
    emit(2);
    await reading;
    expect(timesLeft()).toBe(1);
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  it('lets a waiting reader go when another one leaves', async () => {
    const { stream } = held();
    const waiting = stream.next();
    await stream.return('left');
    expect(await waiting).toEqual({ value: undefined, done: true });
  });

  it('ends like any generator when something is thrown into it', async () => {
    const { stream, timesLeft } = held();
    const waiting = stream.next();
    await expect(stream.throw(new Error('no more'))).rejects.toThrow('no more');
    expect(timesLeft()).toBe(1);
    await waiting;
  });
});
