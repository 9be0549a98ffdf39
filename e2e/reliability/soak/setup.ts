import { request } from '@arboleda/chassis/testing/request.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import sharp from 'sharp';
import { openProvider } from '../../driver/provider.ts';
import { PASSWORD, putPerson } from '../../harness/accounts.ts';
import { type Product, startProduct } from '../../harness/product.ts';
import type { Rows } from '../../harness/settled.ts';
import { inTurn } from '../../harness/wait.ts';
import { openWithClosers, startOutside } from '../outside.ts';
import type { RunOptions } from '../parts.ts';
import type { Order, Told } from './generator/crowd.ts';

/** The product in a process of its own; what it calls outside runs here, so that its memory is its own. */
export interface Setup {
  product: Product;
  postgresPid: number;
  rows: Rows;
  /** Payment intents that the card provider has charged. */
  charged(): Promise<string[]>;
  mailsTaken(): number;
  close(): Promise<void>;
}

export const openSetup = (): Promise<Setup> =>
  openWithClosers<Omit<Setup, 'close'>>(async (closers) => {
    const { folder, postgres, mails, sandbox, env } = await startOutside(closers);
    const product = await startProduct(await folder('product'), {
      ...env,
      RATE_LIMIT_SCALE: '100000',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    closers.push(product.stop);
    sandbox.setWebhookUrl(`${product.url}/api/payments/stripe-webhook`);
    const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
    closers.push(() => pool.end());
    return {
      product,
      postgresPid: postgres.pid,
      rows: async (text, values = []) => (await pool.query(text, [...values])).rows,
      async charged() {
        const { charges } = await openProvider({ ...product, stripeApiUrl: sandbox.apiUrl }).state();
        return charges.filter(({ status }) => status === 'succeeded').map((one) => one.payment_intent);
      },
      mailsTaken: mails.taken,
    };
  });

/** Makes everybody, logged in. */
export async function invite({ product }: Setup, people: Plan['people']): Promise<Order> {
  const put = async (role: Role, email: string, code?: string) => {
    await putPerson(product, role, email, code);
    const answer = await request(product.url, `POST /api/auth/${role}/login`, {
      body: { email, password: PASSWORD },
      headers: { 'x-forwarded-for': '10.30.0.1' },
    });
    if (answer.status !== 200) throw new Error(`login of ${email}: ${answer.status}`);
    return answer.body.token as string;
  };
  const customers = await inTurn(people.customers, async (at) => {
    const email = `rosa-${at}@soak.test`;
    return { email, password: PASSWORD, token: await put('customer', email) };
  });
  const workers = await inTurn(people.workers, (at) =>
    put('worker', `worker-${at}@soak.test`, `QU-${String(100 + at)}`),
  );
  return {
    url: product.url,
    stripe: { apiUrl: product.stripeApiUrl, publishableKey: product.stripePublishableKey },
    customers,
    workers,
    admin: await put('admin', 'admin@soak.test'),
    photo: await aPhoto(),
  };
}

/** A small phone photo. Grain gives it a realistic size. */
const aPhoto = (): Promise<Uint8Array> =>
  sharp({
    create: {
      width: 1600,
      height: 1200,
      channels: 3,
      background: '#3b6b3a',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .jpeg({ quality: 80 })
    .toBuffer();

/** How long and how hard. */
export interface Plan {
  ratePerSecond: number;
  people: { customers: number; workers: number };
  warmUpSeconds: number;
  steadySeconds: number;
  lookEveryMs: number;
  /** Duration of each step towards the knee. */
  stepSeconds: number;
  /** The knee, where it is not looked for. */
  knee: number | undefined;
  stormSeconds: number;
  afterSeconds: number;
  /** Whether times and growth count: not on a machine that others use. */
  isTimed: boolean;
}

const LONG = { minutes: 15, rate: 50, step: 10, storm: 60 };
const SHORT = { minutes: 0.12, rate: 10, storm: 4 };
/** For short runs. Some machines cannot reach it. */
const SHORT_KNEE = 100;

/** `--minutes=15 --rate=50 --step=10 --knee=200 --storm=60` (seconds of a step and of the storm). */
export function planOf({ short, settings }: Pick<RunOptions, 'short' | 'settings'>): Plan {
  const form = short ? SHORT : LONG;
  const number = (name: string, otherwise: number) => {
    const value = Number(settings[name] ?? otherwise);
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
    return value;
  };
  const steadySeconds = number('minutes', form.minutes) * 60;
  return {
    ratePerSecond: number('rate', form.rate),
    people: short ? { customers: 10, workers: 6 } : { customers: 60, workers: 40 },
    warmUpSeconds: short ? 4 : 30,
    steadySeconds,
    lookEveryMs: Math.min(10_000, (steadySeconds * 1000) / 5),
    stepSeconds: number('step', LONG.step),
    knee: short || settings.knee ? number('knee', SHORT_KNEE) : undefined,
    stormSeconds: number('storm', form.storm),
    afterSeconds: short ? 4 : 20,
    isTimed: !short,
  };
}

/** One request that was made. */
export interface Made {
  kind: string;
  /** When it was due, ms from the beginning of its phase. */
  at: number;
  /** From when it was due to the last byte of its answer. */
  ms: number;
  status: number;
  /** The answer is one that the kind may get of a product that is not overrun. */
  isExpected: boolean;
  hasRetryAfter: boolean;
  /** Why there was no answer. */
  failure?: string;
}

export interface Phase {
  name: string;
  ratePerSecond: number;
  seconds: number;
  /** Whether buyers wait for their order, and look at it. */
  patient: boolean;
}

export interface PhaseResult {
  made: Made[];
  /** From the card to the order behind its link, ms. */
  visibleMs: number[];
  /** Share of one core while sending. */
  cpuShare: number;
  /** How late requests were sent, ms: the generator's own fault. */
  lateMs: number[];
}

export interface Listened {
  messages: number;
  /** Answers other than 200, and connections that broke. */
  refusals: string[];
}

export type Asked =
  | { do: 'open'; order: Order }
  | { do: 'listen' }
  /** Answered when the last one is sent. */
  | { do: 'phase'; phase: Phase }
  /** Answered when the last one is answered. */
  | { do: 'result'; name: string }
  | { do: 'end' };

export type Answered = { value: unknown } | { failure: string };

/** At the end: what was promised, and what listeners heard. */
export interface Ended {
  told: Told;
  listened: Listened;
}

const PROGRAM = fileURLToPath(new URL('generator/generator.ts', import.meta.url));
const OWN_NODE = fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url));

/** The generator, in a process of its own. */
export interface Load {
  pid: number;
  listen(): Promise<void>;
  /** Resolves when everything is sent. */
  send(phase: Phase): Promise<void>;
  /** Resolves when everything is answered. */
  result(phase: Pick<Phase, 'name'>): Promise<PhaseResult>;
  end(): Promise<Ended>;
  close(): Promise<void>;
}

export async function startLoad(order: Order): Promise<Load> {
  const child = fork(PROGRAM, {
    execPath: OWN_NODE,
    execArgv: [],
    serialization: 'advanced',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const asked = openConversation(child);
  await asked({ do: 'open', order });
  return {
    pid: child.pid!,
    listen: async () => void (await asked({ do: 'listen' })),
    send: async (phase) => void (await asked({ do: 'phase', phase })),
    result: async ({ name }) => (await asked({ do: 'result', name })) as PhaseResult,
    end: async () => (await asked({ do: 'end' })) as Ended,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

/** Questions and answers by number. @returns a function that rejects with what failed there, or when it ended */
function openConversation(child: ChildProcess): (asked: Asked) => Promise<unknown> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let next = 0;
  child.on('message', ({ id, answered }: { id: number; answered: Answered }) => {
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if ('failure' in answered) reject(new Error(answered.failure));
    else resolve(answered.value);
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the generator ended'));
  });
  return (asked) => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(++next, answer);
    child.send({ id: next, ...asked });
    return answer.promise;
  };
}
