import type { Api } from '@arboleda/contracts/api.ts';
import { type CallParts, requestOf } from '@arboleda/contracts/client.ts';
import { PHOTO_FILES } from '../../api/fuzz/photo-files.ts';
import { pictureForm } from '@arboleda/cli/demo/photos.ts';
import { PASSWORD, putPerson } from '../../harness/accounts.ts';
import { type Going, repeatedly } from '../../harness/wait.ts';
import { type Answered, answerOf } from '../answer.ts';
import type { Dependency, Setup } from './setup.ts';

/** A kind of call, made again and again. */
export interface Call {
  name: string;
  /** Dependencies it cannot work without. */
  needs: readonly Dependency[];
  withinMs: number;
  make(signal: AbortSignal): Promise<Response>;
}

/** The services' own deadlines, plus the time of the gateway's proxy and of a busy machine. */
const DEADLINE_MS = 8_000 + 2_500;
const UPLOAD_DEADLINE_MS = 50_000 + 2_500;

/** Calls of visitors, buyers, customers and the platform. */
export async function openCalls({ product, driver, tier }: Setup): Promise<Call[]> {
  const email = 'faults@reliability.test';
  await putPerson(product, 'customer', email);
  const { orderToken } = await driver.buy(email);
  const evidence: Dependency[] = tier === 'distributed' ? ['PostgreSQL', 'object store'] : ['PostgreSQL'];
  const call = <Key extends keyof Api>(
    name: string,
    needs: readonly Dependency[],
    key: Key,
    parts: () => CallParts<Key>,
    withinMs = DEADLINE_MS,
  ): Call => ({
    name,
    needs,
    withinMs,
    make(signal) {
      const { url, init } = requestOf(key, parts());
      return fetch(new URL(url, product.url), { ...init, signal });
    },
  });
  const page = (name: string, path: string): Call => ({
    name,
    needs: [],
    withinMs: DEADLINE_MS,
    make: (signal) => fetch(new URL(path, product.url), { signal }),
  });
  const buyer = { customerEmail: email, customerName: 'Rosa Prueba', locale: 'en' } as const;
  const grove = { trees: 5, packageType: 'grove', currency: 'USD' } as const;
  return [
    page('landing page', '/'),
    page('liveness', '/livez'),
    call('prices', [], 'GET /api/pricing/dynamic', () => ({ query: { currency: 'COP' } })),
    call('order by its link', ['PostgreSQL'], 'GET /api/track/{token}', () => ({
      params: { token: orderToken },
    })),
    call('log in', ['PostgreSQL'], 'POST /api/auth/customer/login', () => ({
      body: { email, password: PASSWORD },
    })),
    call(
      'start of a payment',
      ['PostgreSQL', 'card provider'],
      'POST /api/pricing/create-payment-intent',
      () => ({
        body: { ...grove, ...buyer },
      }),
    ),
    call(
      'transfer with its evidence',
      evidence,
      'POST /api/manual-payments/create-order',
      () => ({ body: transferForm() }),
      UPLOAD_DEADLINE_MS,
    ),
  ];
}

const transferForm = () =>
  pictureForm(
    'evidenceFiles',
    [{ name: 'proof.png', mimeType: 'image/png', buffer: Buffer.from(PHOTO_FILES.png) }],
    {
      trees: 1,
      packageType: 'individual',
      currency: 'COP',
      customerName: 'Tomás Prueba',
      customerEmail: `transfer-${crypto.randomUUID()}@reliability.test`,
    },
  );

export interface Seen extends Answered {
  ms: number;
}

const PAUSE_MS = 150;
/** Tolerance beyond the deadline. */
const PATIENCE_MS = 5_000;

export async function once({ make, withinMs }: Call): Promise<Seen> {
  const startedAt = performance.now();
  const answered = await answerOf(make(AbortSignal.timeout(withinMs + PATIENCE_MS)));
  return { ...answered, ms: performance.now() - startedAt };
}

/** Makes a kind of call one after the other. */
export const watch = (call: Call): Going<Seen[]> => repeatedly(() => once(call), PAUSE_MS);

export const isServed = ({ status }: Seen): boolean => status >= 200 && status < 300;

/** @returns undefined for success or a clear refusal in time */
export function faultOf(call: Call, seen: Seen, isServable: boolean): string | undefined {
  const said = `${call.name} answered ${seen.status || seen.failure} after ${(seen.ms / 1000).toFixed(1)} s`;
  if (seen.status === 0) return said;
  if (seen.ms > call.withinMs) return `${said}: too late`;
  if (isServed(seen)) return undefined;
  if (isServable) return `${said}, and needs nothing that is away`;
  if (seen.status !== 503) return said;
  return seen.hasRetryAfter ? undefined : `${said} without Retry-After`;
}
