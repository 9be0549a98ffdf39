import { type Answer, request, type RequestParts } from '@arboleda/chassis/testing/request.ts';
import type { Endpoints } from '@arboleda/contracts/endpoints/index.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { createHash, randomInt } from 'node:crypto';
import pg from 'pg';
import sharp from 'sharp';
import { type Driver, openDriver } from '../../driver/driver.ts';
import { openProvider, type ProviderState } from '../../driver/provider.ts';
import { PASSWORD, putPerson } from '../../harness/accounts.ts';
import { openDataDir, type Product, startProduct } from '../../harness/product.ts';
import { type Rows, settled } from '../../harness/settled.ts';

/** One call of one client, ready to go. */
export type Shot = () => Promise<Answer>;

/** A round that was played: what it was about, and what its clients were answered. */
export interface Played<Round> {
  round: Round;
  answers: readonly Answer[];
}

/** Several people, or one person several times, do at once what may happen but once. */
interface Rules<Round> {
  name: string;
  /** Expected state afterwards. */
  effect: string;
  /** Fresh things for so many rounds. */
  prepare(setup: Setup, rounds: number): Promise<Round[]>;
  /** Concurrent calls of one round. */
  shots(setup: Setup, round: Round, clients: number): Shot[];
  /** Looks past the product's own code at what came of each round. @returns what is wrong, in sentences */
  judge(setup: Setup, played: readonly Played<Round>[]): Promise<string[]>;
}

export interface Race {
  name: string;
  effect: string;
  /** Plays so many rounds, one after the other, and judges them. */
  run(setup: Setup, rounds: number, clients: number): Promise<{ answers: Answer[]; faults: string[] }>;
}

export const race = <Round>({ name, effect, prepare, shots, judge }: Rules<Round>): Race => ({
  name,
  effect,
  async run(setup, rounds, clients) {
    const played: Played<Round>[] = [];
    for (const round of await prepare(setup, rounds)) {
      const answers = await Promise.all(shots(setup, round, clients).map((shoot) => shoot()));
      played.push({ round, answers });
    }
    return { answers: played.flatMap((one) => one.answers), faults: await judge(setup, played) };
  },
});

/** Which of two things a client does: half of them the one, half the other. */
export const either = <T>(client: number, one: T, other: T): T => (client % 2 === 0 ? one : other);

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_none, index) => make(index));

/** How often each status was answered: "200×19 409×1". */
export function tally(answers: readonly Answer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}×${count}`)
    .join(' ');
}

const ENVIRONMENT = {
  RATE_LIMIT_SCALE: '0',
  TRANSFERS_OF_EMAIL_A_DAY: '100000',
  EVIDENCE_MAX_MB_OF_NETWORK: '100000',
  RECEIPT_MAIL_DELAY_SECONDS: '0',
  PHOTO_MAIL_DELAY_SECONDS: '0',
  TRANSFER_SECOND_ADMIN_ABOVE_USD: '500',
  // Thousands of log-ins are not what is looked at.
  AUTH_PASSWORD_MEMORY_KIB: '64',
  AUTH_PASSWORD_PASSES: '1',
  // Each client has its own address.
  TRUSTED_PROXIES: '127.0.0.1',
};

/** A running product, and the sight of what it stores that does not go through it. */
export interface Setup {
  product: Product;
  driver: Driver;
  /** A call from an address of its own. */
  call(key: keyof Endpoints, parts?: RequestParts): Promise<Answer>;
  /** Makes somebody, with `PASSWORD`. */
  put(role: Role, email: string, workerCode?: string): Promise<string>;
  token(role: Role, email: string): Promise<string>;
  /** Reads what is stored. */
  rows: Rows;
  /** State of the card provider. */
  provider(): Promise<ProviderState>;
  /** Resolves when everything that was begun is finished: nothing is waiting to be published or handled. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export async function openSetup(): Promise<Setup> {
  const data = await openDataDir();
  const product = await startProduct(data.path, ENVIRONMENT);
  const pool = new pg.Pool({ connectionString: product.databaseUrl, max: 2 });
  const rows: Rows = async (text, values = []) => (await pool.query(text, [...values])).rows;
  const call: Setup['call'] = (key, parts = {}) =>
    request(product.url, key, { ...parts, headers: { 'X-Forwarded-For': anAddress(), ...parts.headers } });
  const token: Setup['token'] = async (role, email) => {
    const answer = await call(`POST /api/auth/${role}/login`, { body: { email, password: PASSWORD } });
    if (answer.status !== 200) throw new Error(`login of ${email}: ${answer.status}`);
    return answer.body.token;
  };
  return {
    product,
    driver: openDriver(product),
    call,
    async put(role, email, workerCode) {
      await putPerson(product, role, email, workerCode);
      return token(role, email);
    },
    token,
    rows,
    provider: () => openProvider(product).state(),
    settled: () => settled(rows),
    async close() {
      await pool.end();
      await product.stop();
      await data.remove();
    },
  };
}

/** Wrong guesses are counted by network: everybody comes from another one. */
const anAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

/** A small picture for each text, always the same for the same. */
export function jpegOf(text: string): Promise<Buffer> {
  const [r = 0, g = 0, b = 0, ...rest] = createHash('sha256').update(text).digest();
  const tile = sharp({ create: { width: 16, height: 16, channels: 3, background: { r, g, b } } });
  const comment = Buffer.from(rest).toString('hex');
  // EXIF tells apart what colours alone would not.
  return tile
    .withExif({ IFD0: { ImageDescription: comment } })
    .jpeg()
    .toBuffer();
}
