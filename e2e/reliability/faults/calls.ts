import { putAccount } from '../../harness/accounts.ts';
import { openDriver } from '../../driver/driver.ts';
import { PHOTO_FILES } from '../../api/fuzz/photo-files.ts';
import type { Dependency, World } from './world.ts';

/** A kind of call, made again and again. */
export interface Call {
  name: string;
  /** Dependencies it cannot work without. */
  needs: readonly Dependency[];
  withinMs: number;
  make(signal: AbortSignal): Promise<Response>;
}

export const PASSWORD = 'guadua-cedro-7310';
/** The services' own deadlines, and what the way to the gateway and a busy machine may add. */
const DEADLINE_MS = 8_000 + 2_500;
const UPLOAD_DEADLINE_MS = 50_000 + 2_500;

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

/** Calls of visitors, buyers, customers and the platform. */
export async function openCalls({ product, tier }: World): Promise<Call[]> {
  const email = 'faults@reliability.test';
  await putAccount(product, {
    role: 'customer',
    name: 'Rosa Prueba',
    email,
    password: PASSWORD,
    emailVerified: true,
  });
  const { orderToken } = await openDriver(product).buy(email);
  const ofProofs: Dependency[] = tier === 'distributed' ? ['PostgreSQL', 'object store'] : ['PostgreSQL'];
  const call = (
    name: string,
    needs: readonly Dependency[],
    path: string,
    init: () => RequestInit = () => ({}),
    withinMs = DEADLINE_MS,
  ): Call => ({
    name,
    needs,
    withinMs,
    make: (signal) => fetch(new URL(path, product.url), { ...init(), signal }),
  });
  return [
    call('landing page', [], '/'),
    call('liveness', [], '/livez'),
    call('prices', [], '/api/pricing/dynamic?currency=COP'),
    call('order by its link', ['PostgreSQL'], `/api/track/${orderToken}`),
    call('log in', ['PostgreSQL'], '/api/auth/customer/login', () => json({ email, password: PASSWORD })),
    call('start of a payment', ['PostgreSQL', 'card provider'], '/api/pricing/create-payment-intent', () =>
      json({
        trees: 5,
        packageType: 'grove',
        currency: 'USD',
        customerEmail: email,
        customerName: 'Rosa Prueba',
        locale: 'en',
      }),
    ),
    call(
      'transfer with its proof',
      ofProofs,
      '/api/manual-payments/create-order',
      upload,
      UPLOAD_DEADLINE_MS,
    ),
  ];
}

function upload(): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries({
    trees: '1',
    packageType: 'individual',
    currency: 'COP',
    customerName: 'Tomás Prueba',
    customerEmail: `transfer-${crypto.randomUUID()}@reliability.test`,
  })) {
    body.append(name, value);
  }
  body.append('evidenceFiles', new Blob([new Uint8Array(PHOTO_FILES.png)]), 'proof.png');
  return { method: 'POST', body };
}
