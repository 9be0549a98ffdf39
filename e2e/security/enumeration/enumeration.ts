import { putAccount } from '../../harness/accounts.ts';
import type { Target } from '../frame/target.ts';
import type { Report, Topic } from '../frame/topic.ts';
import { compareTimes } from './statistics.ts';

const KNOWN = 'known@enumeration.test';
const PASSWORD = 'guadua-cedro-7310';
const SAMPLES = { long: 90, short: 30 };
const WARM_UP = 8;
/** Both together: a busy machine makes single medians jump, but not thousands of pairs lean to one side for nothing. */
const NOTICEABLE = { ratio: 1.5, p: 1e-5 };

/** Nobody learns from an answer, or from how long it takes, whether an address has an account. */
export const enumeration: Topic = {
  name: 'enumeration',
  async run(target, report) {
    await putAccount(target.filled.product, {
      role: 'customer',
      name: 'Known',
      email: KNOWN,
      password: PASSWORD,
      emailVerified: true,
    });
    const wrong = (email: string) => ({ email, password: 'wrong-but-long-enough' });
    await alike(
      target,
      report,
      'login',
      '/api/auth/customer/login',
      () => wrong(KNOWN),
      (at) => wrong(`nobody-${at}@enumeration.test`),
    );
    await alike(
      target,
      report,
      'login as an admin',
      '/api/auth/admin/login',
      () => wrong('owner-admin@api.test'),
      (at) => wrong(`nobody-${at}@enumeration.test`),
    );
    await alike(
      target,
      report,
      'login by a worker’s code',
      '/api/auth/worker/login',
      () => wrong('QU-902'),
      (at) => wrong(`ZZ-${100 + at}`),
    );
    await alike(
      target,
      report,
      'asking for a reset',
      '/api/auth/customer/forgot-password',
      () => ({ email: KNOWN }),
      (at) => ({ email: `nobody-${at}@enumeration.test` }),
    );
    await alike(
      target,
      report,
      'a payment for an address',
      '/api/pricing/create-payment-intent',
      () => intent(KNOWN),
      (at) => intent(`nobody-${at}@enumeration.test`),
    );
    await registering(target, report);
  },
};

const intent = (customerEmail: string) => ({
  trees: 5,
  packageType: 'grove',
  currency: 'USD',
  locale: 'en',
  customerName: 'Ana',
  customerEmail,
});

interface Answer {
  status: number;
  shape: string;
  ms: number;
}

let addresses = 0;

async function send(target: Target, path: string, body: object): Promise<Answer> {
  const at = ++addresses;
  const startedAt = performance.now();
  const response = await fetch(target.filled.product.url + path, {
    method: 'POST',
    // From somewhere else each time: how often somebody may try is another topic.
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': `10.${20 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const ms = performance.now() - startedAt;
  const said = JSON.parse(text) as Record<string, unknown>;
  const isProblem = 'correlationId' in said;
  const shape = isProblem ? JSON.stringify({ ...said, correlationId: '' }) : Object.keys(said).sort().join();
  return { status: response.status, shape, ms };
}

async function alike(
  target: Target,
  { check, note }: Report,
  what: string,
  path: string,
  known: () => object,
  unknown: (at: number) => object,
): Promise<void> {
  const count = target.short ? SAMPLES.short : SAMPLES.long;
  const answers: [Answer, Answer][] = [];
  for (let at = 0; at < count + WARM_UP; at++) {
    // Which of them comes first alternates, so that neither always finds the machine warm.
    const first = at % 2 === 0 ? known() : unknown(at);
    const second = at % 2 === 0 ? unknown(at) : known();
    const pair: [Answer, Answer] = [await send(target, path, first), await send(target, path, second)];
    answers.push(at % 2 === 0 ? pair : [pair[1], pair[0]]);
  }
  const counted = answers.slice(WARM_UP);
  for (const [some, other] of answers) {
    check(`${what}: same status`, some.status === other.status, [some.status, other.status]);
    check(`${what}: same answer`, some.shape === other.shape, [some.shape, other.shape]);
  }
  const { ratio, p } = compareTimes(
    counted.map(([some]) => some.ms),
    counted.map(([, other]) => other.ms),
  );
  note(
    `${what}: known to unknown ${ratio.toFixed(2)} × in the median, p = ${p.toPrecision(2)} (${count} pairs)`,
  );
  const isNoticeable = Math.max(ratio, 1 / ratio) > NOTICEABLE.ratio && p < NOTICEABLE.p;
  check(`${what}: takes as long`, !isNoticeable, { ratio, p });
}

/**
 * Opening an account logs in at once, so an address that is taken cannot be answered alike: it is said, and nothing more
 * than that. How often somebody may ask is limited: see the topic limits.
 */
async function registering(target: Target, { check }: Report): Promise<void> {
  const taken = await send(target, '/api/auth/customer/register', {
    name: 'Ana',
    email: KNOWN,
    password: 'cafetal-en-flor-22',
  });
  check('registering a taken address is refused', taken.status === 409, taken);
  check(
    'registering a taken address tells nothing of its owner',
    !/Known|known@/.test(taken.shape),
    taken.shape,
  );
  const again = await send(target, '/api/auth/customer/login', {
    email: KNOWN,
    password: 'cafetal-en-flor-22',
  });
  check('registering a taken address changes no password', again.status === 401, again.status);
}
