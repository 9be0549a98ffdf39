import type { Endpoint, EndpointKey } from '@arboleda/contracts/endpoint.ts';
import { methodOf } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { fillPath, realParameters } from '../../api/objects.ts';
import type { Target } from '../frame/target.ts';
import { sideBySide } from '../frame/side-by-side.ts';
import type { Report, Topic } from '../frame/topic.ts';
import { accounts } from './accounts.ts';
import { openGateways } from './gateways.ts';

/** Endpoints open to guessing, card testing or filling disks. Each must declare a limit. */
const GUARDED: readonly EndpointKey[] = [
  'POST /api/auth/customer/login',
  'POST /api/auth/admin/login',
  'POST /api/auth/worker/login',
  'POST /api/auth/customer/register',
  'POST /api/auth/{role}/forgot-password',
  'POST /api/auth/{role}/reset-password',
  'POST /api/auth/customer/verify-email/resend',
  'POST /api/pricing/create-payment-intent',
  'POST /api/payments/create-photo-package-checkout',
  'POST /api/manual-payments/create-order',
  'POST /api/track/{token}/receipt',
  'POST /api/track/{token}/certificate',
  'POST /api/track/{token}/withdrawal',
  'POST /api/track/{token}/withdrawal/retract',
  'POST /api/track/{token}/gift',
  'PUT /api/track/{token}/gift',
  'POST /api/track/{token}/gift/send-again',
  'POST /api/track/{token}/gift/card',
  'GET /api/gifts/{token}',
  'POST /api/gifts/{token}/claim',
  'POST /api/gifts/{token}/thanks',
  'POST /api/gifts/{token}/decline',
  'GET /api/certificates/{code}',
  'GET /api/certificates/{code}/document',
  'GET /api/manual-payments/reference',
  'POST /api/admin/statements',
  'POST /api/workers/assignments/{id}/photos',
  'POST /api/workers/growth-visits/{id}/photos',
];

/** Limits hold for several gateways together, and nobody gets more by calling themselves something else. */
export const limits: Topic = {
  name: 'limits',
  async run(target, report) {
    const behindProxy = await openGateways(target, '127.0.0.1', 2);
    const onItsOwn = await openGateways(target, '', 1);
    try {
      for (const [index, key] of GUARDED.entries())
        await holds(target, report, key, behindProxy.urls, index + 1);
      await anotherName(target, report, behindProxy.urls, onItsOwn.urls[0]!);
      await accounts(target, report, behindProxy.urls);
    } finally {
      await behindProxy.close();
      await onItsOwn.close();
    }
  },
};

interface Answer {
  status: number;
  headers: Headers;
}

async function call(target: Target, gateway: string, key: EndpointKey, address: string): Promise<Answer> {
  const response = await fetch(gateway + fillPath(key, realParameters(key, target.filled.objects)), {
    method: methodOf(key),
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    ...(methodOf(key) !== 'GET' && { body: '{}' }),
  });
  await response.arrayBuffer();
  return response;
}

/** @returns how many of `count` calls at once, spread over gateways and addresses, were let through */
async function letThrough(
  target: Target,
  gateways: readonly string[],
  key: EndpointKey,
  count: number,
  address: (at: number) => string,
) {
  const answers: Answer[] = [];
  await sideBySide(
    Array.from({ length: count }, (_, at) => at),
    16,
    async (at) => {
      answers.push(await call(target, gateways[at % gateways.length]!, key, address(at)));
    },
  );
  return { passed: answers.filter(({ status }) => status !== 429).length, answers };
}

const EXTRA = 7;

async function holds(
  target: Target,
  { check }: Report,
  key: EndpointKey,
  gateways: readonly string[],
  index: number,
) {
  const { limit }: Endpoint = ENDPOINTS[key as keyof typeof ENDPOINTS];
  check(`${key} declares a limit`, limit !== undefined);
  if (!limit) return;
  const { passed, answers } = await letThrough(
    target,
    gateways,
    key,
    limit.max + EXTRA,
    () => `203.0.113.${index}`,
  );
  check(`${key}: two gateways together let ${limit.max} through`, passed === limit.max, passed);
  const refused = answers.find(({ status }) => status === 429)?.headers;
  check(
    `${key}: who is refused is told for how long`,
    Number(refused?.get('retry-after')) > 0,
    refused?.get('retry-after'),
  );
  for (const { status, headers } of answers) {
    const [max, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      Number(headers.get(`ratelimit-${name}`)),
    );
    const isTold = max === limit.max && remaining! >= 0 && reset! > 0 && (status !== 429 || remaining === 0);
    check(
      `${key}: an answer tells of the limit`,
      isTold && headers.has('ratelimit-policy'),
      [...headers].filter(([name]) => name.startsWith('ratelimit')),
    );
  }
  const other = await call(target, gateways[0]!, key, `198.51.100.${index}`);
  check(`${key}: another address is not affected`, other.status !== 429, other.status);
}

/** Forged addresses do not evade a limit. */
async function anotherName(
  target: Target,
  { check }: Report,
  behindProxy: readonly string[],
  onItsOwn: string,
) {
  const key = 'POST /api/auth/customer/register';
  const { max } = ENDPOINTS[key].limit;
  const count = max + EXTRA;
  const household = await letThrough(
    target,
    behindProxy,
    key,
    count,
    (at) => `2001:db8:77:1:${at.toString(16)}::${at + 1}`,
  );
  check('the addresses of one IPv6 network count as one', household.passed === max, household.passed);
  const next = await call(target, behindProxy[0]!, key, '2001:db8:77:2::1');
  check('the next IPv6 network is another', next.status !== 429, next.status);
  const spellings = ['203.0.113.77', '::ffff:203.0.113.77', '::FFFF:203.0.113.77', '203.0.113.77 '];
  const spelled = await letThrough(
    target,
    behindProxy,
    key,
    count,
    (at) => spellings[at % spellings.length]!,
  );
  check('one address in several spellings counts as one', spelled.passed === max, spelled.passed);
  const before = await letThrough(target, behindProxy, key, count, (at) => `192.0.2.${at}, 203.0.113.78`);
  check(
    'what stands before the address that the proxy saw does not count',
    before.passed === max,
    before.passed,
  );
  const claimed = await letThrough(target, [onItsOwn], key, count, (at) => `192.0.2.${at}`);
  check('without a trusted proxy no claim counts', claimed.passed === max, claimed.passed);
}
