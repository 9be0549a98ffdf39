import { openReader } from '@arboleda/chassis/backup/format.ts';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Compose } from '../compose.ts';
import { Fault } from '../terminal/command.ts';

/**
 * A process in a container that does what it is told line by line, and answers each line; at last it sends or takes a
 * stream: see infra/chassis/backup/main.ts.
 */
export interface Session {
  /** @throws Fault when the process could not do it */
  ask(line: string): Promise<void>;
  /** The last line: what the process sends from then on. Read it to its end. */
  receive(line: string): AsyncGenerator<Uint8Array>;
  /** The last line, and what the process takes after it. */
  send(line: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  /** Ends the process, which undoes what it holds. */
  close(): void;
}

export function openSession(compose: Compose, args: readonly string[]): Session {
  const input = new PassThrough();
  const opened = Promise.withResolvers<ReturnType<typeof openReader>>();
  const isRead = Promise.withResolvers<void>();
  const running = compose.stream(args, input, async (output: Readable) => {
    opened.resolve(openReader(output));
    await isRead.promise;
    output.resume();
  });
  // The next question throws it.
  running.catch((error: unknown) => opened.reject(error));
  opened.promise.catch(() => undefined);
  const ended = async () => {
    isRead.resolve();
    await running;
  };
  return {
    async ask(line) {
      input.write(`${line}\n`);
      const answer = await (await opened.promise).line();
      if (answer === undefined) {
        await ended();
        throw new Fault(`${args.join(' ')} ended before it had done "${line}".`);
      }
      const { fault } = JSON.parse(answer) as { fault?: string };
      if (fault !== undefined) throw new Fault(fault);
    },
    async *receive(line) {
      input.end(`${line}\n`);
      yield* (await opened.promise).rest();
      await ended();
    },
    async send(line, content) {
      input.write(`${line}\n`);
      // A process that ends early says why.
      await pipeline(content, input).catch((error: unknown) => ended().then(() => Promise.reject(error)));
      await ended();
    },
    close() {
      input.destroy();
      isRead.resolve();
      running.catch(() => undefined);
    },
  };
}
