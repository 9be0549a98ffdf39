import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { commentedParts } from '../../driver/pictures.ts';
import { ASSIGNMENT_ID } from './media.ts';

/** 12 MP, as telephones take them. */
const WIDTH = 4000;
const HEIGHT = 3000;
/** Shapes of a hundred pixels and more; what a sensor adds to them, in steps of brightness. */
const SHAPES_WIDTH = 48;
const GRAIN = 11;
const QUALITY = 88;

/**
 * A photo as a telephone takes it: smooth shapes with light grain, 12 MP, 3 MB of JPEG. The same for the same seed, and
 * another file for another.
 */
export async function takePhoto(seed: number): Promise<Buffer> {
  const random = randomOf(seed);
  const shapesHeight = (SHAPES_WIDTH * HEIGHT) / WIDTH;
  const shapes = Uint8Array.from({ length: SHAPES_WIDTH * shapesHeight * 3 }, () => 40 + random() * 170);
  const pixels = await sharp(shapes, { raw: { width: SHAPES_WIDTH, height: shapesHeight, channels: 3 } })
    .resize(WIDTH, HEIGHT, { kernel: 'cubic' })
    .raw()
    .toBuffer();
  for (let at = 0; at < pixels.length; at += 3) {
    const grain = Math.round((random() - 0.5) * 2 * GRAIN);
    for (let channel = at; channel < at + 3; channel++) {
      pixels[channel] = Math.max(0, Math.min(255, pixels[channel]! + grain));
    }
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

/** Lehmer's generator: 0 up to 1. */
function randomOf(seed: number): () => number {
  let state = (seed * 7919 + 1) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

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
