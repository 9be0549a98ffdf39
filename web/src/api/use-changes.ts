import { useEffect, useRef } from 'react';
import type { Api } from '@arboleda/contracts/api.ts';
import type { Answer } from './client.ts';
import { askedPauseMs } from './refresh.ts';

export type StreamKey = {
  [Key in keyof Api]: Api[Key]['response'] extends AsyncIterable<unknown> ? Key : never;
}[keyof Api];

type DataOf<Key extends StreamKey> = Answer<Key> extends AsyncIterable<{ data: infer Data }> ? Data : never;

type Open<Key extends StreamKey> = (signal: AbortSignal) => Promise<Answer<Key>>;

/** Exponential backoff between attempts, ms. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

interface Options<Key extends StreamKey> {
  /** Opens the stream: `(signal) => call(key, { params, signal, timeoutMs: Infinity })`. */
  open: Open<Key>;
  onChange: (change: DataOf<Key>) => void;
  /** Called after a gap: missed changes are not resent, so reload everything. */
  onResume: () => void;
  /** False while there is nothing to listen to. */
  enabled?: boolean;
}

/**
 * Listens to a stream of changes while the page is visible and reconnects after interruptions. Pages must also poll now
 * and then.
 * @param identity key of the stream; a change closes the previous one
 */
export function useChanges<Key extends StreamKey>(identity: string, options: Options<Key>): void {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const enabled = options.enabled ?? true;
  useEffect(() => {
    if (!enabled) return;
    const over = new AbortController();
    void listen(latest, over.signal);
    return () => over.abort();
  }, [identity, enabled]);
}

async function listen<Key extends StreamKey>(
  latest: { readonly current: Options<Key> },
  over: AbortSignal,
): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  let interrupted = false;
  while (!over.aborted) {
    await untilVisible(over);
    const hidden = new AbortController();
    let askedMs = 0;
    const stopWatching = onHidden(() => hidden.abort());
    try {
      const messages = (await latest.current.open(AbortSignal.any([over, hidden.signal]))) as AsyncIterable<{
        data: DataOf<Key>;
      }>;
      if (interrupted) latest.current.onResume();
      waitMs = FIRST_WAIT_MS;
      for await (const { data } of messages) latest.current.onChange(data);
    } catch (error) {
      // Polling reports the reason; here a failure only means a later attempt.
      askedMs = askedPauseMs(error);
    } finally {
      stopWatching();
    }
    interrupted = true;
    await pause(hidden.signal.aborted ? 0 : Math.max(waitMs, askedMs), over);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
}

function onHidden(act: () => void): () => void {
  const look = () => document.visibilityState === 'hidden' && act();
  document.addEventListener('visibilitychange', look);
  return () => document.removeEventListener('visibilitychange', look);
}

function untilVisible(over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState === 'hidden' && !over.aborted) return;
      document.removeEventListener('visibilitychange', look);
      over.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    over.addEventListener('abort', look);
    look();
  });
}

function pause(ms: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    over.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
