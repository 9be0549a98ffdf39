import { type Answer, request, type RequestParts } from '@arboleda/chassis/testing/request.ts';
import type { Endpoints } from '@arboleda/contracts/endpoints/index.ts';
import { randomInt, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { NamedPicture } from '@arboleda/cli/demo/photos.ts';
import { withComment } from '../../driver/pictures.ts';
import { startOutside, startTested, type Tested } from '../setup.ts';

export interface Setup extends Tested {
  /** A call from its own address, because limits count by network. */
  call(key: keyof Endpoints, parts?: RequestParts): Promise<Answer>;
}

export async function openSetup(closing: AsyncDisposableStack): Promise<Setup> {
  const tested = await startTested(closing, await startOutside(closing), {
    RATE_LIMIT_SCALE: '0',
    RECEIPT_MAIL_DELAY_SECONDS: '0',
    PHOTO_MAIL_DELAY_SECONDS: '0',
    // Each client has its own address.
    TRUSTED_PROXIES: '127.0.0.1',
  });
  const anAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  return {
    ...tested,
    call: (key, parts = {}) => {
      const headers = { 'X-Forwarded-For': anAddress(), ...parts.headers };
      return request(tested.product.url, key, { ...parts, headers });
    },
  };
}

/** A round with the answers to its clients. */
export interface Played<Round> {
  round: Round;
  answers: readonly Answer[];
}

interface Rules<Round> {
  name: string;
  /** For the report. */
  effect: string;
  /** Prepares the subjects of all rounds. */
  prepare(setup: Setup, rounds: number): Promise<Round[]>;
  /** The call of one client. @param client counts from 0 */
  act(setup: Setup, round: Round, client: number): Promise<Answer>;
  /** Reads the stores directly. @returns a sentence for each fault */
  judge(setup: Setup, played: readonly Played<Round>[]): Promise<string[]>;
}

export interface Race {
  name: string;
  effect: string;
  run(setup: Setup, rounds: number, clients: number): Promise<{ answers: Answer[]; faults: string[] }>;
}

export const race = <Round>({ name, effect, prepare, act, judge }: Rules<Round>): Race => ({
  name,
  effect,
  async run(setup, rounds, clients) {
    const played: Played<Round>[] = [];
    for (const round of await prepare(setup, rounds)) {
      const calls = Array.from({ length: clients }, (_none, client) => act(setup, round, client));
      played.push({ round, answers: await Promise.all(calls) });
    }
    await setup.settled();
    return { answers: played.flatMap((one) => one.answers), faults: await judge(setup, played) };
  },
});

/** Alternates between clients. */
export const either = <T>(client: number, one: T, other: T): T =>
  Math.floor(client) % 2 === 0 ? one : other;

const tile = sharp({ create: { width: 16, height: 16, channels: 3, background: '#3b6b3a' } })
  .jpeg()
  .toBuffer();

/** A small picture for each text. */
export async function picture(text: string = randomUUID()): Promise<NamedPicture> {
  return { name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(withComment(await tile, text)) };
}
