import { signServiceToken } from '@arboleda/chassis/http/identity.ts';
import { putAccounts } from '@arboleda/local/demo/accounts.ts';
import { type CallApi, openApi } from '@arboleda/local/demo/api.ts';
import type { Product } from './product.ts';

async function openAuth(product: Product): Promise<{ auth: CallApi; token: string }> {
  return {
    auth: openApi(product.authUrl, AbortSignal.timeout(20_000)),
    token: await signServiceToken(product.serviceSecret, 'e2e', 'auth'),
  };
}

/** The accounts of the demo, with its password. */
export async function makeAccounts(product: Product): Promise<void> {
  const { auth, token } = await openAuth(product);
  await putAccounts(auth, product.demoPassword, token);
}

/** A field worker who takes whatever comes. */
export async function makeTirelessWorker(product: Product): Promise<void> {
  const { auth, token } = await openAuth(product);
  await auth('PUT /internal/accounts', {
    token,
    body: {
      role: 'worker',
      name: 'Rosa Incansable',
      email: 'rosa@bench.test',
      password: product.demoPassword,
      emailVerified: true,
      worker: { code: 'QU-001', region: 'Quindío', capacityTrees: 1_000_000 },
    },
  });
}
