import { type CallApi, openClient } from '@arboleda/contracts/client.ts';
import { PHOTO_FILES } from '../api/fuzz/photo-files.ts';
import { eventually } from '../api/filling.ts';
import { type Driver, openDriver } from '@arboleda/cli/demo/driver.ts';
import { openInbox } from '../harness/inbox.ts';
import type { Running } from '../harness/product.ts';

/** Words that are found nowhere but where this person left them. */
export const MARK = 'quetzalbert';
const FORMER = `${MARK}.former@person.test`;
const LATER = `${MARK}.later@person.test`;
const NAME = `Iñigo Quetzalbert`;
const PHONE = '+57 399 1234567';
/** This person's texts, by the fields of contracts/typed-text.ts that are erased with them. */
export const TYPED: Readonly<Record<string, string>> = {
  name: NAME,
  customerName: NAME,
  email: FORMER,
  customerEmail: LATER,
  customerPhone: PHONE,
  referenceNumber: `${MARK} in words`,
  reason: `${MARK} has changed plans`,
  locale: 'es-x-quetzal',
};
export const WORDS = [MARK, PHONE.replaceAll(' ', ''), PHONE, TYPED.locale!];
const PASSWORD = 'el colibrí y la guadua';

/** The token of the link in the newest mail to an address. */
async function mailed(product: Running, address: string, path: RegExp): Promise<string> {
  return eventually(`a link for ${address}`, async () => {
    const mails = await openInbox(product.inboxUrl).all(address);
    return mails
      .map(({ text }) => path.exec(text)?.[1])
      .filter(Boolean)
      .at(-1);
  });
}

/** Somebody who did all that a donor can do, and has moved to another address. */
export async function livePerson(
  product: Running,
  { admin, worker }: { admin: string; worker: { email: string; token: string } },
): Promise<{ call: CallApi; token: string; orders: string[] }> {
  const call = openClient(product.url);
  const registered = await call('POST /api/auth/customer/register', {
    body: { name: NAME, email: FORMER, password: PASSWORD, locale: 'es' },
  });
  let { token } = registered;
  const verification = await mailed(product, FORMER, /verify-email[^\s]*token=([\w-]+)/);
  token = (await call('POST /api/auth/customer/verify-email', { token, body: { token: verification } }))
    .token;
  const driver = openDriver(product);
  const paid = await driver.buy(FORMER, { trees: 5, name: NAME });
  await driver.plant(worker.token, await driver.give(admin, paid.orderId, worker.email, worker.token));
  await driver.start(FORMER, { trees: 7 });
  const transfer = await sendTransfer(driver);
  await call('PUT /api/auth/me/email', { token, body: { email: LATER, currentPassword: PASSWORD } });
  const change = await mailed(product, LATER, /email[^\s]*token=([\w-]+)/);
  token = (await call('POST /api/auth/me/email/confirm', { token, body: { token: change } })).token;
  await eventually('the orders at the new address', async () => {
    const { orders } = await call('GET /api/customers/orders', { token, query: {} });
    return orders.length === 2;
  });
  await eventually('a certificate in another name', () =>
    call('POST /api/customers/orders/{id}/certificate', {
      token,
      params: { id: paid.orderId },
      body: { name: `${NAME} and family`, language: 'es' },
    }).catch(() => undefined),
  );
  const later = await driver.buy(LATER, { trees: 5, name: NAME });
  await call('POST /api/customers/orders/{id}/withdrawal', {
    token,
    params: { id: later.orderId },
    body: { reason: TYPED.reason },
  });
  await driver.start(LATER, { trees: 9, name: NAME, locale: TYPED.locale! });
  return { call, token, orders: [paid.orderId, transfer.orderId, later.orderId] };
}

export const erase = ({ call, token }: { call: CallApi; token: string }): Promise<unknown> =>
  call('POST /api/auth/me/deletion', { token, body: { currentPassword: PASSWORD } });

export const sendTransfer = (driver: Driver, email = FORMER): Promise<{ orderId: string }> =>
  driver.announce(email, {
    trees: 1,
    name: NAME,
    phone: PHONE,
    locale: TYPED.locale!,
    reference: TYPED.referenceNumber!,
    evidence: [{ name: `${MARK}-evidence.png`, mimeType: 'image/png', buffer: PHOTO_FILES.png }],
  });
