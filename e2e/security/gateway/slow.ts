import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '../../harness/wait.ts';
import type { Target } from '../frame/target.ts';
import type { Report } from '../frame/topic.ts';
import { sideBySide } from '../frame/side-by-side.ts';
import { openSocket } from './raw.ts';

const HALF_OPEN = { long: 2_000, short: 400 };
const CALLS = 40;
/** For other callers while thousands of sockets hang: slow is fine, a timeout is not. */
const SERVED_WITHIN_MS = 3_000;
/** Headers have 10 s, which is looked at every 5 s. */
const HEADERS_OVER_WITHIN_MS = 30_000;

/** Clients that take their time, or say nothing at all, leave the others served and are let go. */
export async function slowClients({ filled, short }: Target, report: Report): Promise<void> {
  const { url } = filled.product;
  const count = short ? HALF_OPEN.short : HALF_OPEN.long;
  const begun = [
    '',
    'GET /api/stats HTTP/1.1\r\nHost: x\r\nX-Slow: ',
    'POST /api/auth/customer/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50000\r\n\r\n{',
    'POST /api/manual-payments/create-order HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n--\r\n',
  ];
  const sockets: Socket[] = [];
  await sideBySide(
    Array.from({ length: count }, (_, at) => at),
    50,
    async (at) => {
      const socket = await openSocket(url);
      socket.resume().write(begun[at % begun.length]!);
      sockets.push(socket);
    },
  );
  const drip = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('x')), 1_000);
  try {
    const tookMs = await servedMeanwhile(url, report, count);
    report.note(`${count} sockets half open: others served in ${tookMs.toFixed(0)} ms at the median`);
    if (!short) await letGo(sockets, begun.length, report);
  } finally {
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
  }
}

async function servedMeanwhile(url: string, { check }: Report, count: number): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < CALLS; at++) {
    const startedAt = performance.now();
    const response = await fetch(`${url}/api/stats`);
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
    check(`a visitor is served while ${count} sockets hang`, response.status === 200, response.status);
    await pause(5);
  }
  const median = times.sort((a, b) => a - b)[CALLS / 2]!;
  check('nobody waits for them', median < SERVED_WITHIN_MS, `${median} ms`);
  return median;
}

/** Slow senders of headers are disconnected. */
async function letGo(sockets: readonly Socket[], kinds: number, { check }: Report): Promise<void> {
  const slow = sockets.filter((_socket, at) => at % kinds === 1);
  const open = () => slow.filter((socket) => !socket.closed && !socket.destroyed).length;
  await waitFor(
    'slow headers to be let go',
    () => Promise.resolve(open() === 0),
    HEADERS_OVER_WITHIN_MS,
  ).catch(() => undefined);
  check('who drips headers is let go', open() === 0, `${open()} of ${slow.length} still open`);
}
