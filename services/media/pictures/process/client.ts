import { spend } from '@arboleda/chassis/http/spent.ts';
import { fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Decoded } from '../variants.ts';
import { type Answer, type Answers, type Asked, ORIGINALS_FD } from './protocol.ts';

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url));
/** It starts in a few tenths of a second; at rest it would hold 80 MB for nothing. */
const ENDS_AFTER_MS = 60_000;

/**
 * What decodes the files of strangers is told no secret. With an arena for every thread glibc would keep the memory of pictures
 * several times over; and it would keep what is as large as a photo once it was let go often enough.
 */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '4194304',
  // Whoever keeps compiled code keeps this process's as well: it takes 12 MB less then.
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
};
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=1'];

/**
 * Makes pictures in a process of its own that lets every other go first: nobody who waits for an answer waits for a picture,
 * and a file that makes a decoder fall over takes nobody along. It starts with the first photo, ends when there was none for
 * a while, and needs no closing: it ends with whoever started it.
 */
export interface PictureProcess {
  /**
   * Its pixels lie in the process until they are released.
   * @param original is empty once it has gone there
   * Its methods too: @throws what failed there, or that the process ended.
   */
  decode(original: Uint8Array): Promise<Decoded>;
}

/** What cannot be done with a picture, however often it is tried: the decoder has said so. */
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
            // With the process its pixels are gone as well.
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
  /** @param bytes that belong to it, and are given back once they have gone */
  ask<A extends Asked>(asked: A, bytes?: Uint8Array): Promise<Answers[A['do']]>;
  isOver(): boolean;
  end(): void;
}

function converse(): Conversation {
  const child = fork(PROGRAM, {
    ...{ env: ENVIRONMENT, execArgv: FLAGS },
    ...{ serialization: 'advanced' as const, stdio: ['ignore', 'ignore', 'inherit', 'ipc', 'pipe'] as const },
  });
  const originals = child.stdio[ORIGINALS_FD] as Socket;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  let failure: Error | undefined;
  // Only what is asked keeps this process alive.
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
    // An answer may still come of a process whose end was told already.
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
      if (bytes) originals.write(bytes, () => spend(bytes));
      return (await answer.promise) as Answers[A['do']];
    },
    isOver: () => failure !== undefined || !child.connected,
    end: () => child.connected && child.disconnect(),
  };
}
