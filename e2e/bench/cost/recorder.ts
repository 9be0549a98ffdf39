/**
 * Loaded into the product before its own code. Between the first two SIGUSR2 it notes each SQL statement with who asked for
 * it, which takes time itself; between the next two it samples what the processor does. Each time it writes `recordingOf`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { rename, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import pg from 'pg';
import { recordingOf } from './recording.ts';
import type { Asked, Profile } from './why.ts';

const SAMPLE_EVERY_US = 250;
/** Frames are kept across awaits, so that a caller is found above the stores that it uses. */
const FRAMES = 40;

/** A pool asks a connection later, when the caller is no longer on the stack. */
const callers = new AsyncLocalStorage<string>();
const asked = new Map<string, number>();

function note(query: unknown, stack: string): void {
  const text = typeof query === 'string' ? query : (query as { text?: string } | undefined)?.text;
  if (!text) return;
  const key = JSON.stringify([text, callers.getStore() ?? stack]);
  asked.set(key, (asked.get(key) ?? 0) + 1);
}

function stackHere(): string {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = before;
  return stack;
}

type Query = (this: unknown, ...args: unknown[]) => unknown;
function wrap(prototype: object, around: (query: Query, self: unknown, args: unknown[]) => unknown): void {
  const query = (prototype as { query: Query }).query;
  Object.assign(prototype, {
    query(this: unknown, ...args: unknown[]) {
      return isRecording ? around(query, this, args) : query.apply(this, args);
    },
  });
}
wrap(pg.Pool.prototype, (query, self, args) => callers.run(stackHere(), () => query.apply(self, args)));
wrap(pg.Client.prototype, (query, self, args) => {
  note(args[0], stackHere());
  return query.apply(self, args);
});

let isRecording = false;
const session = new Session();

async function startProfile(): Promise<void> {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
  await session.post('Profiler.start');
}

async function keep(recorded: Asked[] | Profile): Promise<void> {
  const file = recordingOf(process.pid);
  await writeFile(`${file}.new`, JSON.stringify(recorded));
  await rename(`${file}.new`, file);
}

const steps = [
  () => (isRecording = true),
  () => {
    isRecording = false;
    return keep(
      [...asked].map(([key, times]) => {
        const [text, stack] = JSON.parse(key) as [string, string];
        return { text, stack, times };
      }),
    );
  },
  startProfile,
  async () => keep((await session.post('Profiler.stop')).profile),
];
process.on('SIGUSR2', () => void steps.shift()?.());
