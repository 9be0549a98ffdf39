import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { commentedParts } from '../../reliability/crash/clients/line.ts';
import { ASSIGNMENT_ID } from './stand.ts';

export const PER_SECOND = 10;
const AGENT = new Agent({ keepAlive: true });

export interface Acceptance {
  /** From the first byte sent to the last of the answer, for each that was accepted. */
  durationsMs: number[];
  failures: number;
}

/** Sends photos so many a second, whether or not earlier ones are answered: each another file. */
export async function sendPhotos(
  url: string,
  token: string,
  photos: readonly Uint8Array[],
  count: number,
): Promise<Acceptance> {
  const durationsMs: number[] = [];
  let failures = 0;
  const send = async (body: readonly Uint8Array[], boundary: string) => {
    const startedAt = performance.now();
    const status = await post(`${url}/api/workers/assignments/${ASSIGNMENT_ID}/photos`, body, {
      Authorization: `Bearer ${token}`,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    }).catch(() => undefined);
    if (status && status < 300) durationsMs.push(performance.now() - startedAt);
    else failures += 1;
  };
  const sending: Promise<void>[] = [];
  const firstAt = performance.now();
  for (let at = 0; at < count; at++) {
    const boundary = randomUUID();
    await sleep(Math.max(0, firstAt + (at * 1000) / PER_SECOND - performance.now()));
    sending.push(send(multipart(photos[at % photos.length]!, boundary), boundary));
  }
  await Promise.all(sending);
  return { durationsMs, failures };
}

/** By Node's own client: fetch would copy a body of 3 MB several times, 20 ms of the processor that all share here. */
async function post(
  url: string,
  body: readonly Uint8Array[],
  headers: OutgoingHttpHeaders,
): Promise<number | undefined> {
  const length = body.reduce((sum, part) => sum + part.length, 0);
  const sending = request(url, {
    method: 'POST',
    agent: AGENT,
    headers: { ...headers, 'Content-Length': length },
  });
  for (const part of body) sending.write(part);
  sending.end();
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  return answer.statusCode;
}

/**
 * In parts that are not copied. Copies would be made while the photo before is still on its way: of what is measured, a tenth
 * waited for that.
 */
const multipart = (photo: Uint8Array, boundary: string): readonly Uint8Array[] => [
  Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="photos"; filename="siembra.jpg"\r\n` +
      'Content-Type: image/jpeg\r\n\r\n',
  ),
  ...commentedParts(photo, boundary),
  Buffer.from(`\r\n--${boundary}--\r\n`),
];
