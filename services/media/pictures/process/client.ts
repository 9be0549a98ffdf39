import { releaseMemory } from '@arboleda/chassis/http/release-memory.ts';
import { fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Decoded } from '../variants.ts';
import { type Answer, type Answers, type Asked, ORIGINALS_FD } from './protocol.ts';

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url));
/** The process starts within half a second. Idle, it would hold 80 MB. */
const ENDS_AFTER_MS = 60_000;

/**
 * Contains no secrets, because the process decodes untrusted files. The malloc settings make glibc return
 * freed memory: by default it keeps an arena per thread, and large blocks once they were freed often enough.
 */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '4194304',
  // The compile cache saves 12 MB of memory.
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
};
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=1'];

/**
 * Makes pictures in a low-priority child process, so that requests do not wait for pictures, and a file that
 * crashes the decoder crashes nothing else. Starts with the first photo, ends after an idle minute and with
 * its parent.
 */
export interface PictureProcess {
  /**
   * The pixels stay in the process until released.
   * @param original is emptied after it is sent
   * @throws errors of the process, or that it ended; so do the methods of the result
   */
  decode(original: Uint8Array): Promise<Decoded>;
}

export class PictureFault extends Error {}

export function openPictureProcess({ endsAfterMs = ENDS_AFTER_MS } = {}): PictureProcess {
  let running: Conversation | undefined;
  let photos = 0;
  let ending: NodeJS.Timeout | undefined;

  const hold = (): Conversation => {
    clearTimeout(ending);
    photos += 1;
    if (!running || running.isOver()) running = converse();
    return running;
  };
  const letGo = () => {
    photos -= 1;
    if (photos === 0) ending = setTimeout(() => running?.end(), endsAfterMs).unref();
  };

  let last = 0;
  return {
    async decode(original) {
      const { ask } = hold();
      const photo = ++last;
      try {
        const widths = await ask({ do: 'decode', photo, sizeBytes: original.length }, original);
        return {
          widths,
          encode: (nominalWidth, format) => ask({ do: 'encode', photo, nominalWidth, format }),
          release() {
            // An ended process has no pixels.
            ask({ do: 'release', photo }).catch(() => undefined);
            letGo();
          },
        };
      } catch (error) {
        letGo();
        throw error;
      }
    },
  };
}

interface Conversation {
  /** @param bytes the original, freed after it is sent */
  ask<A extends Asked>(asked: A, bytes?: Uint8Array): Promise<Answers[A['do']]>;
  isOver(): boolean;
  end(): void;
}

function converse(): Conversation {
  const child = fork(PROGRAM, {
    env: ENVIRONMENT,
    execArgv: FLAGS,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc', 'pipe'],
  });
  const originals = child.stdio[ORIGINALS_FD] as Socket;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  let failure: Error | undefined;
  // Only pending requests keep the parent alive.
  const rest = () => void (waiting.size === 0 && child.channel?.unref());
  child.unref();
  originals.unref();
  rest();

  const over = (error: Error) => {
    failure ??= error;
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  child.on('error', over);
  originals.on('error', over);
  child.on('exit', (code, signal) => over(new Error(`the picture process ended (${signal ?? code})`)));
  child.on('message', ({ id, ...answer }: Answer) => {
    const asked = waiting.get(id);
    // An answer may arrive after the exit was reported.
    if (!asked) return;
    waiting.delete(id);
    rest();
    if ('failure' in answer) asked.reject(new PictureFault(answer.failure));
    else asked.resolve(answer.value);
  });

  return {
    async ask<A extends Asked>(asked: A, bytes?: Uint8Array) {
      if (failure) throw failure;
      const id = ++last;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(id, answer);
      child.channel?.ref();
      child.send({ id, ...asked }, (error) => error && over(error));
      if (bytes) originals.write(bytes, () => releaseMemory(bytes));
      return (await answer.promise) as Answers[A['do']];
    },
    isOver: () => failure !== undefined || !child.connected,
    end: () => child.connected && child.disconnect(),
  };
}
