import { DEMO_PRICES } from '@arboleda/cli/embedded/environment.ts';
import { openDriver, type StartedPayment } from '@arboleda/cli/demo/driver.ts';
import { pictureForm } from '@arboleda/cli/demo/photos.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import { daysLater, dayIn } from '@arboleda/contracts/time-zone.ts';
import { PHOTO_FILES } from '../../api/fuzz/photo-files.ts';
import { aGift } from '../../api/gift.ts';
import { PASSWORD, putAccount } from '../../harness/accounts.ts';
import { linksIn, openInbox } from '../../harness/inbox.ts';
import type { Product } from '../../harness/product.ts';
import { erase, livePerson } from '../person.ts';
import { makeStatements } from './bank.ts';
import { assigned, type Cast, planted, smallPhoto } from './field.ts';
import { refundAndDispute, sendTransfers, withdrawOrders } from './money.ts';
import { type Login, makePeople, SECOND_ADMIN_ABOVE_USD } from './people.ts';
import type { Keys } from './see.ts';

/** Settings of the product while an installation is made and looked at: nothing is deleted for its age. */
export const ENVIRONMENT = {
  // Credentials and links say it, so it is the same for every copy.
  SITE_URL: 'http://localhost:8080',
  RATE_LIMIT_SCALE: '0',
  RECEIPT_MAIL_DELAY_SECONDS: '0',
  PHOTO_MAIL_DELAY_SECONDS: '0',
  RECONCILE_INTERVAL_SECONDS: '86400',
  AUTH_PASSWORD_MEMORY_KIB: '64',
  AUTH_PASSWORD_PASSES: '1',
  TRANSFER_SECOND_ADMIN_ABOVE_USD: SECOND_ADMIN_ABOVE_USD,
  MAIL_BOUNCE_SECRET: 'f7kzQ0vN3xRr8LwYtB1mHc5sJd2gUe6a',
  EVIDENCE_RETENTION_DAYS: '0',
  ABANDONED_PAYMENT_RETENTION_DAYS: '36500',
  LINK_RETENTION_DAYS: '36500',
  LOG_IN_RETENTION_DAYS: '36500',
  MAIL_RETENTION_DAYS: '36500',
};

/** Gifts can be sent so many days ahead. */
const LAST_GIFT_DAY = 365;

type Order = Pick<StartedPayment, 'orderId' | 'orderToken'>;

/** Makes something of everything that people can do, through the API. @returns what opens it */
export async function makeInstallation(product: Product): Promise<Keys> {
  const driver = openDriver(product, { withinMs: 90_000 });
  const people = await makePeople(product, driver);
  const cast = { product, driver, people };
  const certificates = await plantOrders(cast);
  await refundAndDispute(cast);
  await withdrawOrders(cast);
  await giveTrees(cast);
  await sellGrowthUpdates(cast);
  await sendTransfers(cast);
  await makeStatements(cast);
  await reassign(cast);
  await erase(
    await livePerson(product, {
      admin: people.owner,
      worker: { email: people.logins.worker!.email, token: people.worker },
    }),
  );
  await driver.start('undecided@fixture.test', { trees: 10 });
  return { people: people.logins, certificates, ...(await linksOf(cast)) };
}

/** Orders in every status, with photos and certificates in every state. @returns the codes of all versions */
async function plantOrders(cast: Cast): Promise<string[]> {
  const { driver, people } = cast;
  const { call } = driver;
  const certify = async ({ orderToken }: Order, email: string) => {
    const body = { email, name: 'Familia Rincón', language: 'es' as const };
    const answer = await call('POST /api/track/{token}/certificate', {
      params: { token: orderToken },
      body,
    });
    return answer.certificate.code;
  };
  // More trees than the workers have room for.
  await driver.buy('company@fixture.test', { trees: 2000, currency: 'COP', name: 'Textiles La Ceiba' });
  const kept = await assigned(cast, 'assigned@fixture.test', { trees: 10, currency: 'EUR', language: 'es' });
  await call('PUT /api/admin/orders/{id}', {
    token: people.coordinator,
    params: { id: kept.orderId },
    body: { trees: 8, customerName: 'Ana María Torres' },
  });
  await call('POST /api/admin/orders/{id}/notes', {
    token: people.support,
    params: { id: kept.orderId },
    body: { text: 'She called: two trees less.' },
  });

  const codes: string[] = [];
  const valid = await planted(cast, 'valid@fixture.test', { trees: 5 }, 'ph-leaf.jpg');
  codes.push(await certify(valid, 'valid@fixture.test'));
  const completed = await planted(cast, 'completed@fixture.test', { currency: 'GBP' }, 'ph-rows.jpg');
  codes.push(await certify(completed, 'completed@fixture.test'));
  await driver.complete(people.worker, completed.assignmentId);
  codes.push(
    await driver.until('the second version of a certificate', async () => {
      const { certificate } = (await driver.track(completed.orderToken))!;
      return certificate?.version === 2 && certificate.code;
    }),
  );
  const revoked = await planted(cast, 'revoked@fixture.test', { trees: 1 }, 'ph-hands.jpg');
  const code = await certify(revoked, 'revoked@fixture.test');
  await call('POST /api/admin/certificates/{code}/revoke', {
    token: people.coordinator,
    params: { code },
    body: { reason: 'Issued for another family' },
  });
  const undone = await planted(cast, 'undone@fixture.test', { trees: 1 }, 'ph-valley.jpg');
  codes.push(code, await certify(undone, 'undone@fixture.test'));
  await call('PUT /api/admin/orders/{id}/status', {
    token: people.coordinator,
    params: { id: undone.orderId },
    body: { status: 'assigned', reason: 'The wrong plot was marked' },
  });

  // The same file for two orders, and one taken far away, which is hidden.
  const twice = { name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer: PHOTO_FILES.jpeg };
  await driver.photograph(people.worker, revoked.assignmentId, [twice]);
  const away = await smallPhoto('ph-portrait.jpg', { latitude: 2.6415, longitude: -76.3612 });
  const flagged = await driver.photograph(people.worker, completed.assignmentId, [twice, away]);
  await call('POST /api/admin/photos/{id}/hide', {
    token: people.coordinator,
    params: { id: flagged[1]!.id },
    body: { reason: 'Somebody’s face' },
  });
  return codes;
}

/** Gifts that wait, were delivered, claimed, declined, refused, cancelled, and came back. */
async function giveTrees(cast: Cast): Promise<void> {
  const { driver, people, product } = cast;
  const { call } = driver;
  const inbox = openInbox(product.inboxUrl);
  const give = (buyer: string, changes: Partial<Gift>) =>
    driver.buy(`${buyer}@fixture.test`, { trees: 1, gift: aGift(changes) });
  const stateOf = async (order: Order, state: string) =>
    driver.until(`a gift that is ${state}`, async () => {
      return (await driver.track(order.orderToken))!.gift?.state === state;
    });
  const timeZone = 'America/Bogota';
  const later = { deliverOn: daysLater(dayIn(new Date(), timeZone), LAST_GIFT_DAY), timeZone };
  const mailed = async (address: string) => {
    const { text, messageId } = await inbox.mail(address, /\/g\/[\w-]{22}/);
    return { token: /\/g\/([\w-]{22})/.exec(text)![1]!, messageId };
  };

  await give('gift-waiting', { recipientEmail: 'later@fixture.test', ...later });
  const cancelled = await give('gift-cancelled', { recipientEmail: 'never@fixture.test', ...later });
  await driver.refund(
    people.finance,
    (await driver.payment(people.finance, cancelled.orderId)).paymentId,
    'No gift after all',
  );
  await stateOf(cancelled, 'cancelled');
  await stateOf(await give('gift-sent', { recipientEmail: 'delivered@fixture.test' }), 'sent');

  const claimed = await give('gift-claimed', { message: 'Happy birthday!', card: 'forest' });
  await stateOf(claimed, 'sent');
  const { gift } = await call('POST /api/track/{token}/gift', {
    params: { token: claimed.orderToken },
    body: { email: 'gift-claimed@fixture.test' },
  });
  const params = { token: gift.path!.slice('/g/'.length) };
  await call('POST /api/gifts/{token}/claim', { params, token: people.donor });
  await call('POST /api/gifts/{token}/thanks', { params, body: { text: 'I will visit it one day.' } });

  await stateOf(await give('gift-declined', { recipientEmail: 'declines@fixture.test' }), 'sent');
  const { token } = await mailed('declines@fixture.test');
  await call('POST /api/gifts/{token}/decline', { params: { token } });
  await stateOf(await give('gift-refused', { recipientEmail: 'declines@fixture.test' }), 'refused');

  const bounced = await give('gift-bounced', { recipientEmail: 'mistyped@fixture.test' });
  await stateOf(bounced, 'sent');
  await call('POST /api/mail/bounces', {
    headers: { Authorization: `Bearer ${ENVIRONMENT.MAIL_BOUNCE_SECRET}` },
    body: {
      messageId: (await mailed('mistyped@fixture.test')).messageId,
      reason: 'no such user',
      permanent: true,
    },
  });
  await stateOf(bounced, 'bounced');
}

/** Photo packages of the donor: with a visit made and others to come, due, before planting, and refunded. */
async function sellGrowthUpdates(cast: Cast): Promise<void> {
  const { driver, people } = cast;
  const { worker, donor, finance } = people;
  const { call } = driver;
  const visitOf = (orderId: string, state: string) =>
    driver.until(`a visit of ${orderId} that is ${state}`, async () => {
      const { visits } = await call('GET /api/workers/growth-visits', {
        token: worker,
        query: { limit: 100 },
      });
      return visits.find((one) => one.orderId === orderId && one.state === state);
    });
  const buy = (orderId: string, priceId: string) => driver.buyPhotoPackage(donor, orderId, priceId);

  const visited = await planted(cast, people.logins.donor!.email, {}, 'ph-planting.jpg');
  await buy(visited.orderId, DEMO_PRICES.STRIPE_PRICE_THREE_YEAR);
  const visit = await visitOf(visited.orderId, 'due');
  await call('POST /api/workers/growth-visits/{id}/photos', {
    token: worker,
    params: { id: visit._id },
    body: pictureForm('photos', [await smallPhoto('ph-valley.jpg')]),
  });
  await visitOf(visited.orderId, 'done');

  const due = await planted(cast, people.logins.donor!.email, { trees: 1 }, 'ph-rows.jpg');
  await buy(due.orderId, DEMO_PRICES.STRIPE_PRICE_THREE_YEAR);
  await visitOf(due.orderId, 'due');
  const early = await assigned(cast, people.logins.donor!.email, { trees: 1 });
  await buy(early.orderId, DEMO_PRICES.STRIPE_PRICE_LIFETIME);
  const stopped = await planted(cast, people.logins.donor!.email, { trees: 1 }, 'ph-leaf.jpg');
  await buy(stopped.orderId, DEMO_PRICES.STRIPE_PRICE_FIRST_YEAR);
  await visitOf(stopped.orderId, 'scheduled');
  const { photoPackages } = await driver.payment(finance, stopped.orderId);
  await call('POST /api/admin/photo-packages/{id}/refunds', {
    token: finance,
    params: { id: photoPackages[0]!.purchaseId },
    body: { reason: 'Bought for another order' },
  });
}

/** An order that went to another worker, who has room for nothing else. */
async function reassign(cast: Cast): Promise<void> {
  const { driver, people, product } = cast;
  const { orderId } = await assigned(cast, 'reassigned@fixture.test', { trees: 5 });
  const login: Login = { role: 'worker', email: 'second-worker@fixture.test', password: PASSWORD };
  await putAccount(product, {
    ...login,
    name: 'Yuliana Chocué',
    emailVerified: true,
    worker: { code: 'CA-007', region: 'Cauca', capacityTrees: 0 },
  });
  people.logins.secondWorker = login;
  await driver.give(
    people.coordinator,
    orderId,
    login.email,
    await driver.logIn('worker', login.email, PASSWORD),
  );
}

/** Links that open once and expire are of no use to a restored installation of another year. */
const OPENS_ONCE = /(verify-email|reset-password|confirm-email|change-email|email)[^/]*#.*token=/;

/** Private links of every order and gift, and all that mails lead to. */
async function linksOf({
  driver,
  people,
  product,
}: Cast): Promise<Pick<Keys, 'orders' | 'gifts' | 'news' | 'links'>> {
  const token = people.owner;
  const ids: string[] = [];
  for (let cursor: string | undefined, isMore = true; isMore;) {
    const query = { limit: 100, ...(cursor && { cursor }) };
    const page = await driver.call('GET /api/admin/orders/manage', { token, query });
    ids.push(...page.orders.map(({ _id }) => _id));
    cursor = page.nextCursor;
    isMore = cursor !== undefined;
  }
  const { orders: transfers } = await driver.call('GET /api/admin/manual-payments/pending-verification', {
    token,
    query: { status: 'all', limit: 100 },
  });
  const orders: Keys['orders'] = [];
  const gifts = new Set<string>();
  for (const id of new Set([...ids, ...transfers.map(({ _id }) => _id)])) {
    const { order } = await driver.call('GET /api/admin/orders/{id}', { token, params: { id } });
    orders.push({ token: order.token!, email: order.customerEmail });
    const path = order.gift?.path;
    if (path) gifts.add(path.slice('/g/'.length));
  }
  const mails = (await (await fetch(new URL('/email', product.inboxUrl))).json()) as { html: string }[];
  const links = [...new Set(mails.flatMap(linksIn))]
    .filter((link) => link.startsWith(ENVIRONMENT.SITE_URL) && !OPENS_ONCE.test(link))
    .map((link) => link.slice(ENVIRONMENT.SITE_URL.length))
    .sort();
  const named = (pattern: RegExp) => links.flatMap((link) => pattern.exec(link)?.[1] ?? []);
  return {
    orders,
    gifts: [...new Set([...gifts, ...named(/^\/g\/([\w-]{22})/)])],
    news: [...new Set(named(/#token=([\w-]{22})$/))],
    links,
  };
}
