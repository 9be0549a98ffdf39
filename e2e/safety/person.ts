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
export const NAME = `Iñigo Quetzalbert`;
const PHONE = '+57 399 1234567';
export const WORDS = [MARK, PHONE.replaceAll(' ', ''), PHONE];
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
  const paid = await driver.buy(FORMER, { trees: 5 });
  await driver.start(FORMER, { trees: 7 });
  const transfer = await sendTransfer(driver);
  await call('PUT /api/auth/me/email', { token, body: { email: LATER, currentPassword: PASSWORD } });
  const change = await mailed(product, LATER, /email[^\s]*token=([\w-]+)/);
  token = (await call('POST /api/auth/me/email/confirm', { token, body: { token: change } })).token;
  await eventually('the orders at the new address', async () => {
    const { orders } = await call('GET /api/customers/orders', { token, query: {} });
    return orders.length === 2;
  });
  const later = await driver.buy(LATER, { trees: 5 });
  await driver.start(LATER, { trees: 9 });
  return { call, token, orders: [paid.orderId, transfer.orderId, later.orderId] };
}

export const erase = ({ call, token }: { call: CallApi; token: string }): Promise<unknown> =>
  call('POST /api/auth/me/deletion', { token, body: { currentPassword: PASSWORD } });

export const sendTransfer = (driver: Driver, email = FORMER): Promise<{ orderId: string }> =>
  driver.announce(email, {
    trees: 1,
    name: NAME,
    phone: PHONE,
    reference: 'REF-77',
    evidence: [{ name: `${MARK}-evidence.png`, mimeType: 'image/png', buffer: PHOTO_FILES.png }],
  });
