import { request } from '@arboleda/chassis/testing/request.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import pg from 'pg';
import sharp from 'sharp';
import { openProvider } from '../../driver/provider.ts';
import { PASSWORD, putPerson } from '../../harness/accounts.ts';
import { type Product, startProduct } from '../../harness/product.ts';
import { inTurn } from '../../harness/wait.ts';
import { openWithClosers, startOutside } from '../outside.ts';
import type { Rows } from '../settled.ts';
import type { Order } from './generator/crowd.ts';
import type { Plan } from './load.ts';

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
    if (answer.status !== 200) throw new Error(`log-in of ${email}: ${answer.status}`);
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
