import { request } from '@arboleda/chassis/testing/request.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { AT, newEmail, someOrder } from './builders.ts';
import { openHarness } from './harness.ts';

jest.setTimeout(60_000);

let service: Awaited<ReturnType<typeof openHarness>>;
let url: string;
beforeAll(async () => {
  service = await openHarness();
  ({ url } = await service.start());
});
afterAll(() => service.close());

const accountOf = (email: string) => email.toLowerCase().replace(/\W/g, '-');
const tokenOf = (email: string, emailVerified = true) =>
  service.identity.token({ role: 'customer', id: accountOf(email), email, emailVerified });
const read = async (token: string) => request(url, 'GET /api/customers/mail-preferences', { token });
const choose = async (token: string, body: object) =>
  request(url, 'PUT /api/customers/mail-preferences', { token, body });

test('a customer gets news of photos until they choose otherwise, but always receipts', async () => {
  const order = someOrder();
  const token = await tokenOf(order.email.toUpperCase());
  expect((await read(token)).body).toEqual({ news: true });
  expect(await choose(token, { news: false })).toMatchObject({ status: 200, body: { news: false } });
  expect((await read(token)).body).toEqual({ news: false });
  await service.publish('order.created', order.created);
  await service.publish('photo.uploaded', order.photo());
  await service.someMailsTo(order.email);
  await service.settle();
  const subjects = async () => (await service.mailsTo(order.email)).map(({ subject }) => subject);
  expect(await subjects()).toEqual([expect.stringMatching(/^Receipt/)]);
  expect((await choose(token, { news: true })).body).toEqual({ news: true });
  await service.publish('photo.uploaded', order.photo());
  await service.someMailsTo(order.email, 2);
  expect((await subjects())[1]).toMatch(/new photo/);
});

test('the choice is the same as by the link in an email', async () => {
  const order = someOrder();
  await service.publish('order.created', order.created);
  await service.publish('photo.uploaded', order.photo());
  const mails = await service.someMailsTo(order.email, 2);
  const [, link] = /mail-preferences#token=([\w-]{22})/.exec(mails.map(({ text }) => text).join())!;
  await choose(await tokenOf(order.email), { news: false });
  const byLink = await request(url, 'GET /api/mail/preferences/{token}', { params: { token: link! } });
  expect(byLink.body).toEqual({ news: false });
});

test('nothing can be read or chosen for an address that is not verified', async () => {
  const email = newEmail();
  const token = await tokenOf(email, false);
  for (const answer of [await read(token), await choose(token, { news: false })])
    expect(answer).toMatchObject({ status: 404, body: { type: 'not-found' } });
  expect(await service.query('select from notifications.addresses where address = $1', [email])).toEqual([]);
});

test.each([
  [{}, 'required'],
  [{ news: 'no' }, 'invalid'],
])('refuses %p and keeps the choice', async (body, type) => {
  const token = await tokenOf(newEmail());
  const answer = await choose(token, body);
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'news', type }] } });
  expect((await read(token)).body).toEqual({ news: true });
});

test('a choice made just after the account was erased is not kept', async () => {
  const email = newEmail();
  const accountId = accountOf(email);
  await service.publish('customer.erased', { accountId, email, ordersToo: true, at: AT });
  await service.settle();
  await choose(await tokenOf(email), { news: false });
  expect(await service.query('select from notifications.addresses where address = $1', [email])).toEqual([]);
});

test('the choice is for customers alone', async () => {
  for (const key of ['GET', 'PUT'] as const) {
    const call = `${key} /api/customers/mail-preferences` as const;
    const body = key === 'PUT' ? { body: { news: false } } : {};
    expect((await request(url, call, body)).status).toBe(401);
    for (const role of ['worker', 'admin'] as const)
      expect(
        (await request(url, call, { ...body, token: await service.identity.token({ role }) })).status,
      ).toBe(403);
  }
});
