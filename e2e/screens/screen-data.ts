import { type CallApi, openClient } from '@arboleda/contracts/client.ts';
import { PEOPLE, PERSON_NAMES, type PersonName } from './people.ts';

export interface FoundOrder {
  _id: string;
  token: string;
  customerEmail: string;
  certificate?: { code: string } | undefined;
}

/** Data of a running product. Missing data is undefined. */
export interface ScreenData {
  url: string;
  call: CallApi;
  tokens: Partial<Record<PersonName, string>>;
  orders: Record<OrderName, FoundOrder | undefined>;
}

export type OrderName = keyof Awaited<ReturnType<typeof findOrders>>;

/** Logs everybody in and finds the orders that screens show, through the API alone. */
export async function readScreenData(url: string, demoPassword: string): Promise<ScreenData> {
  const call = openClient(url);
  const tokens: ScreenData['tokens'] = {};
  for (const name of PERSON_NAMES) {
    const { role, email } = PEOPLE[name];
    const login = call(`POST /api/auth/${role}/login`, { body: { email, password: demoPassword } });
    const token = (await login.catch(() => undefined))?.token;
    if (token) tokens[name] = token;
  }
  if (!tokens.admin) throw new Error(`nobody can log in at ${url} with the password of the demo`);
  return { url, call, tokens, orders: await findOrders(call, tokens.admin) };
}

async function findOrders(call: CallApi, token: string) {
  const { orders: listed } = await call('GET /api/admin/orders/manage', { token, query: { limit: 100 } });
  const orders = listed.map(withLink);
  const { orders: transfers } = await call('GET /api/admin/manual-payments/pending-verification', {
    token,
    query: { status: 'all', limit: 100 },
  });
  const transfer = (status: string) =>
    transfers.find(({ manualPayment }) => manualPayment.verificationStatus === status);
  return {
    assigned: orders.find((one) => one.status === 'assigned' && !one.refundedAmount && one.trees < 10_000),
    planted: orders.find((one) => one.status === 'planted' && !one.growth?.length),
    completed: orders.find((one) => one.status === 'completed' && one.photos.length > 2),
    refunded: orders.find((one) => one.refundedAmount),
    growing: orders.find((one) => one.growth?.length && one.photos.length < 30),
    large: orders.find((one) => one.trees === 10_000),
    album: orders.find((one) => one.photos.length >= 30),
    certified: orders.find((one) => one.certificate?.state === 'valid'),
    revoked: orders.find((one) => one.certificate?.state === 'revoked'),
    withdrawing: orders.find((one) => one.withdrawal && !one.withdrawal.answeredAt),
    giftWaiting: orders.find((one) => one.gift?.state === 'waiting'),
    giftClaimed: orders.find((one) => one.gift?.claimedAt),
    transferWaiting: await withToken(call, token, transfer('pending')),
    transferApproved: orders.find((one) => one._id === transfer('approved')?._id),
    transferRejected: await withToken(call, token, transfer('rejected')),
  } satisfies Record<string, FoundOrder | undefined>;
}

/** Transfers that are not approved are in no list of orders. */
async function withToken(call: CallApi, token: string, transfer: { _id: string } | undefined) {
  if (!transfer) return undefined;
  const found = call('GET /api/admin/orders/{id}', { token, params: { id: transfer._id } });
  const order = (await found.catch(() => undefined))?.order;
  return order && withLink(order);
}

/** The admin of the demo is an owner, who gets private links. */
const withLink = <Order extends { token?: string | undefined }>(order: Order) => ({
  ...order,
  token: order.token!,
});
