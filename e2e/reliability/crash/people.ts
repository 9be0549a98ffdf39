import { signAsOperator } from '@arboleda/chassis/http/service-token.ts';
import { openClient } from '@arboleda/contracts/client.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { openDriver } from '../../driver/driver.ts';
import type { Line } from './clients/line.ts';
import { GIVE_UP_MS, persist } from './clients/persist.ts';
import { nothingTold } from './clients/told.ts';
import { type Tier, urlOf } from './processes/tier.ts';

export const PASSWORD = 'guadua-cedro-7310';
const WORKERS = 4;
const CUSTOMER = 'customer@reliability.test';
const PHOTO = new URL('../../../infra/cli/demo/photos/ph-leaf.jpg', import.meta.url);
const EVIDENCE = new URL('../../../infra/cli/demo/photos/transfer-school.jpg', import.meta.url);
/** Small: a run is about keeping photos, not about how long pictures take. */
const PHOTO_WIDTH = 240;

/** Logs in everybody who works in a run. */
export async function gather(tier: Tier): Promise<Line> {
  const auth = openClient(urlOf(tier.env, 'auth'));
  const api = openClient(tier.url);
  const service = await signAsOperator(tier.env.OPERATOR_SERVICE_KEY!, 'auth');
  const logIn = async (role: Role, email: string, code?: string): Promise<string> => {
    await auth('PUT /internal/accounts', {
      token: service,
      body: {
        role,
        email,
        name: 'Rosa Prueba',
        password: PASSWORD,
        emailVerified: true,
        ...(code !== undefined && { worker: { code, region: 'Quindío', capacityTrees: 1_000_000 } }),
      },
    });
    return (await api(`POST /api/auth/${role}/login`, { body: { email, password: PASSWORD } })).token;
  };
  const workers: string[] = [];
  for (let number = 1; number <= WORKERS; number++) {
    workers.push(await logIn('worker', `worker-${number}@reliability.test`, `QU-90${number}`));
  }
  return {
    driver: openDriver(
      {
        url: tier.url,
        stripeApiUrl: tier.env.STRIPE_API_URL!,
        stripePublishableKey: tier.env.STRIPE_PUBLISHABLE_KEY!,
      },
      { attempt: persist, withinMs: GIVE_UP_MS },
    ),
    tokens: {
      admin: await logIn('admin', 'admin@reliability.test'),
      customer: await logIn('customer', CUSTOMER),
      workers,
    },
    customerEmail: CUSTOMER,
    files: {
      photo: await sharp(await readFile(PHOTO))
        .resize(PHOTO_WIDTH)
        .jpeg()
        .toBuffer(),
      evidence: await sharp(await readFile(EVIDENCE))
        .resize(PHOTO_WIDTH)
        .jpeg()
        .toBuffer(),
    },
    told: nothingTold(),
  };
}
