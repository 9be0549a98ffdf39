import { signServiceToken } from '@arboleda/chassis/http/identity.ts';
import { type CallApi, openApi } from '@arboleda/local/demo/api.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { openBuyer } from '../harness/buyer.ts';
import { openDataDir, type Product, startProduct } from '../harness/product.ts';
import { waitFor } from '../harness/wait.ts';
import { buyGrowth, evidenceOf, newsTokenOf, sendPhoto, sendTransfer } from './filling.ts';
import type { Objects } from './objects.ts';

/** A running product with somebody of each role twice, and something of everything that can be theirs. */
export interface World {
  product: Product;
  objects: Objects;
  call: CallApi;
  /** `owner`: whose the objects are (any admin owns what admins see); `other`: of the same role, with nothing. */
  token(role: Role, who?: 'owner' | 'other'): Promise<string>;
  close(): Promise<void>;
}

const PASSWORD = 'guadua-cedro-7310';
const emailOf = (role: Role, who: Who) => `${who}-${role}@api.test`;
const WORKER_CODES: Record<Who, string> = { owner: 'QU-901', other: 'QU-902', spare: 'QU-903' };
/** Photos are told of at once; nothing is reconciled while a test looks at what changed. */
const ENVIRONMENT = {
  RATE_LIMIT_SCALE: '0',
  RECONCILE_INTERVAL_SECONDS: '86400',
  RECONCILE_AFTER_SECONDS: '86400',
  PHOTO_MAIL_DELAY_SECONDS: '0',
  // Thousands of wrong passwords are looked at.
  AUTH_PASSWORD_MEMORY_KIB: '64',
  AUTH_PASSWORD_PASSES: '1',
  // Who calls says from where: wrong passwords are counted by address.
  TRUSTED_PROXIES: '127.0.0.1',
};

export async function openWorld(): Promise<World> {
  const data = await openDataDir();
  const product = await startProduct(data.path, ENVIRONMENT);
  const call = openApi(product.url, new AbortController().signal);
  const world = {
    product,
    call,
    async token(role: Role, who: 'owner' | 'other' = 'owner') {
      const { token } = await call(`POST /api/auth/${role}/login`, {
        body: { email: emailOf(role, who), password: PASSWORD },
      });
      return token;
    },
    async close() {
      await product.stop();
      await data.remove();
    },
  };
  try {
    return { ...world, objects: await fill(world) };
  } catch (error) {
    await world.close();
    throw error;
  }
}

type Who = 'owner' | 'other' | 'spare';
type Empty = Pick<World, 'product' | 'call' | 'token'>;

async function fill({ product, call, token }: Empty): Promise<Objects> {
  await putAccount(product, 'worker', 'owner');
  for (const role of ['customer', 'admin'] as const) {
    await putAccount(product, role, 'owner');
    await putAccount(product, role, 'other');
  }
  const worker = await token('worker');
  const admin = await token('admin');
  const order = await openBuyer(product).buy(emailOf('customer', 'owner'), 5);
  const params = { id: order.orderId };
  const assignment = await waitFor('an assignment', async () => {
    const { assignments } = await call('GET /api/workers/assignments', { token: worker });
    return assignments[0];
  });
  await putAccount(product, 'worker', 'other');
  await call('PUT /api/workers/assignments/{id}/status', {
    token: worker,
    params: { id: assignment._id },
    body: { status: 'planted' },
  });
  const photo = await sendPhoto(call, worker, assignment._id);
  const transfer = await sendTransfer(call);
  const { payment } = await call('GET /api/admin/orders/{id}/payment', { token: admin, params });
  const mail = await waitFor('a mail', async () => {
    const { mails } = await call('GET /api/admin/orders/{id}/mails', { token: admin, params });
    return mails[0];
  });
  // Nobody of the others: what is done to this one must not end their work.
  await putAccount(product, 'worker', 'spare');
  const { workers } = await call('GET /api/admin/workers', { token: admin });
  return {
    orderId: order.orderId,
    orderToken: order.orderToken,
    transferOrderId: transfer.orderId,
    evidenceFilename: await evidenceOf(call, admin, transfer.orderId),
    paymentId: payment.paymentId,
    assignmentId: assignment._id,
    visitId: await buyGrowth(product, call, {
      orderId: order.orderId,
      customer: await token('customer'),
      worker,
    }),
    workerId: workers.find((one) => one.email === emailOf('worker', 'spare'))!.id,
    photoId: photo.id,
    photoFilename: photo.filename,
    mailId: mail.id,
    newsToken: await newsTokenOf(product, emailOf('customer', 'owner')),
  };
}

async function putAccount(product: Product, role: Role, who: Who): Promise<void> {
  await openApi(product.authUrl, AbortSignal.timeout(20_000))('PUT /internal/accounts', {
    token: await signServiceToken(product.serviceSecret, 'e2e', 'auth'),
    body: {
      ...{ role, name: 'Rosa Prueba', email: emailOf(role, who), password: PASSWORD, emailVerified: true },
      ...(role === 'worker' && {
        worker: { code: WORKER_CODES[who], region: 'Quindío', capacityTrees: 1_000_000 },
      }),
    },
  });
}
