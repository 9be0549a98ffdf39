import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * `down`: refuses connections; `slow`: delays each chunk by a second; `reset`: resets connections when the answer begins;
 * `black hole`: drops bytes, and open connections stay silent; `trickle`: passes one byte a second.
 */
export const FAULTS = ['down', 'slow', 'reset', 'black hole', 'trickle'] as const;
export type Fault = (typeof FAULTS)[number];

const SLOW_MS = 1_000;
const TRICKLE_MS = 1_000;

/** A TCP proxy to a dependency. */
export interface FaultyProxy {
  port: number;
  /** From now on, until `mend`. */
  break(fault: Fault): void;
  mend(): void;
  close(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket;
  isLost: boolean;
}

export async function openFaultyProxy(to: { host: string; port: number }): Promise<FaultyProxy> {
  let fault: Fault | undefined;
  const pairs = new Set<Pair>();
  const server = createServer((near) => {
    if (fault === 'down') return void near.resetAndDestroy();
    const pair: Pair = { near, far: connect(to), isLost: fault === 'black hole' };
    pairs.add(pair);
    const end = () => {
      near.destroy();
      pair.far.destroy();
      pairs.delete(pair);
    };
    for (const socket of [near, pair.far]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined).on('close', () => !pair.isLost && end());
    }
    void carry(pair, near, pair.far, false);
    void carry(pair, pair.far, near, true);
  });

  /** Forwards bytes, subject to the current fault. */
  async function carry(pair: Pair, from: Socket, to: Socket, isAnswer: boolean): Promise<void> {
    try {
      for await (const chunk of from.iterator({ destroyOnReturn: false })) {
        await carryOne(pair, chunk as Buffer, to, isAnswer);
      }
      if (!pair.isLost) to.end();
    } catch {
      // The sockets close themselves.
    }
  }

  async function carryOne(pair: Pair, chunk: Buffer, to: Socket, isAnswer: boolean): Promise<void> {
    if (pair.isLost) return;
    if (fault === 'slow') await sleep(SLOW_MS);
    if (fault === 'reset' && isAnswer) return void pair.near.resetAndDestroy();
    let rest = chunk;
    while (fault === 'trickle' && rest.length > 0 && to.writable) {
      to.write(rest.subarray(0, 1));
      rest = rest.subarray(1);
      await sleep(TRICKLE_MS);
    }
    if (rest.length > 0 && to.writable && !pair.isLost) to.write(rest);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    break(next) {
      fault = next;
      for (const pair of pairs) {
        if (next === 'down') pair.near.resetAndDestroy();
        if (next === 'black hole') pair.isLost = true;
      }
    },
    mend() {
      fault = undefined;
      // The engine's end closes, as its keepalive would within a minute; the product's end stays silent.
      for (const pair of pairs) if (pair.isLost) pair.far.destroy();
    },
    async close() {
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
