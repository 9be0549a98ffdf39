import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { certificateCode, CODE_BYTES, PDF_KEYWORD } from '@arboleda/contracts/certificate-code.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
// Loading them here takes none of the time of the first call that needs them.
import '../certificate/document/page.ts';
import '../documents/page.ts';
import { openAdminClient, wrongField } from './admin-client.ts';
import { ANA, assigned, completed, minute, payment, photo, planted } from './builders.ts';
import {
  growthBought,
  growthScheduled,
  growthVisited,
  hidden,
  refunded,
  restored,
} from './event-builders.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';

let orders: OrdersFixture;
let admin: ReturnType<typeof openAdminClient>;
beforeAll(async () => {
  orders = await openOrders();
  admin = openAdminClient(orders);
});
afterAll(() => orders.close());

const EMAIL = 'alba@mail.test';
const ALBA = { email: 'Alba@mail.test', name: 'Alba Díaz' };
type Data = ReturnType<typeof payment>['data'];

async function paid(changes: Parameters<typeof payment>[0] = {}): Promise<Data> {
  const { data } = payment({ customer: ALBA, ...changes });
  await orders.publish({ type: 'payment.succeeded', data });
  await orders.order(data.orderId);
  return data;
}

async function plantedOrder(changes: Parameters<typeof payment>[0] = {}): Promise<Data> {
  const data = await paid(changes);
  await orders.publish(assigned(data.orderId), planted(data.orderId));
  await orders.order(data.orderId, ({ status }) => status === 'planted');
  return data;
}

const customerToken = () => orders.identity.token({ role: 'customer', email: EMAIL, emailVerified: true });

/** Asks as the customer in the portal. */
const ask = async (id: string, body: object = { name: 'Alba y Bruno', language: 'es' }) =>
  orders.call('POST /api/customers/orders/{id}/certificate', {
    params: { id },
    body,
    token: await customerToken(),
  });
/** Asks by private link. */
const askByLink = (
  token: string,
  body: object = { name: null, language: 'en', email: EMAIL },
  address = '203.0.113.1',
) =>
  orders.call('POST /api/track/{token}/certificate', {
    params: { token },
    body,
    headers: { 'X-Forwarded-For': address },
  });
const look = (code: string) => orders.call('GET /api/certificates/{code}', { params: { code } });
/** JSON by another media type arrives as bytes. */
const parsed = ({ status, headers, body }: Awaited<ReturnType<typeof look>>) => ({
  status,
  headers,
  body: Buffer.isBuffer(body) ? JSON.parse(body.toString()) : body,
});
const credential = async (code: string) =>
  parsed(await orders.call('GET /api/certificates/{code}/credential', { params: { code } }));
const pdf = (code: string, query: { language?: 'en' | 'es' } = {}) =>
  orders.call('GET /api/certificates/{code}/document', { params: { code }, query });
const revoke = (code: string, reason = 'The name is someone else’s') =>
  orders.call('POST /api/admin/certificates/{code}/revoke', {
    params: { code },
    body: { reason },
    token: orders.adminToken,
  });
const issued = async (id: string, body?: object): Promise<string> =>
  (await ask(id, body)).body.certificate.code;
/** The admin's order once its certificate has this version. */
const withVersion = (id: string, version: number) =>
  orders.order(id, ({ certificate }) => certificate?.version === version);
const refusal = ({ status, body }: Awaited<ReturnType<typeof look>>) => [status, body.type];
/** Whether the status list marks a version as no longer valid. */
async function isMarked(code: string): Promise<boolean> {
  const { credentialStatus } = (await credential(code)).body;
  const { pathname } = new URL(credentialStatus.statusListCredential);
  const params = { list: pathname.split('/').at(-1)! };
  const list = parsed(await orders.call('GET /api/certificate-status/{list}', { params }));
  const bytes = Buffer.from(list.body.credentialSubject.encodedList.slice(1), 'base64url');
  const index = Number(credentialStatus.statusListIndex);
  return ((gunzipSync(bytes)[index >> 3]! << (index & 7)) & 0x80) !== 0;
}

describe('a donor', () => {
  test('gets the certificate of planted trees, which anybody can check', async () => {
    const { orderId } = await plantedOrder();
    const { status, body } = await ask(orderId);
    expect(status).toBe(200);
    const { code } = body.certificate;
    expect(body.certificate).toEqual({
      code: expect.stringMatching(/^\w{4}-\w{4}-\w{4}$/),
      version: 1,
      state: 'valid',
      language: 'es',
      issuedAt: expect.any(String),
      name: 'Alba y Bruno',
    });
    const answer = await look(code);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      code,
      state: 'valid',
      version: 1,
      issuedAt: body.certificate.issuedAt,
      name: 'Alba y Bruno',
      language: 'es',
      trees: 5,
      place: 'Finca La Esperanza, Salento',
      country: 'CO',
      plantedOn: dayOf(minute(20)),
      plantedBy: 'Ana',
      growthUpdates: 0,
      issuer: 'Arboleda S.A.S. BIC',
    });
  });

  test('gets none before the planting, and nothing changes', async () => {
    const { orderId } = await paid();
    expect(refusal(await ask(orderId))).toEqual([409, 'certificate-not-yet']);
    expect((await orders.order(orderId)).certificate).toBeUndefined();
  });

  test('who asks twenty times at once gets one version', async () => {
    const { orderId } = await plantedOrder();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(orderId)));
    expect(new Set(answers.map(({ body }) => body.certificate.code)).size).toBe(1);
    expect((await orders.order(orderId)).certificate).toMatchObject({ version: 1 });
  });

  test('gets it without a name', async () => {
    const { orderId } = await plantedOrder();
    expect((await look(await issued(orderId, { name: null, language: 'en' }))).body.name).toBeNull();
  });

  test.each([
    [{ name: 'Ana\u0000', language: 'en' }, 'name: invalid'],
    [{ name: 'A\u0007na', language: 'en' }, 'name: invalid'],
    [{ name: '\u200b\u2060', language: 'en' }, 'name: required'],
    [{ name: 'x'.repeat(121), language: 'en' }, 'name: too-long'],
    [{ language: 'en' }, 'name: required'],
    [{ name: null, language: 'fr' }, 'language: unknown-value'],
  ])('is refused %j, and nothing changes', async (body, fault) => {
    const { orderId } = await plantedOrder();
    expect(wrongField(await ask(orderId, body))).toEqual({
      status: 422,
      type: 'validation-failed',
      errors: [fault],
    });
    expect((await orders.order(orderId)).certificate).toBeUndefined();
  });

  test('changes the name by a new version, and the earlier one shows no name', async () => {
    const { orderId } = await plantedOrder();
    const first = await issued(orderId, { name: 'Alba', language: 'en' });
    expect(await issued(orderId, { name: 'Alba', language: 'en' })).toBe(first);
    const second = await issued(orderId, { name: 'Bruno', language: 'en' });
    expect((await look(second)).body).toMatchObject({ state: 'valid', version: 2, name: 'Bruno' });
    expect((await look(first)).body).toMatchObject({
      state: 'superseded',
      version: 1,
      name: null,
      newest: { code: second, version: 2 },
    });
  });

  test('sees it in the portal, at the private link and in the export', async () => {
    const { orderId, orderToken } = await plantedOrder();
    const code = await issued(orderId);
    const token = await customerToken();
    const { body } = await orders.call('GET /api/customers/orders', { token });
    expect(body.orders.find((order: { _id: string }) => order._id === orderId).certificate).toMatchObject({
      code,
      version: 1,
      state: 'valid',
      name: 'Alba y Bruno',
    });
    const link = await orders.call('GET /api/track/{token}', { params: { token: orderToken } });
    expect(link.body.certificate).toMatchObject({ code, version: 1, state: 'valid' });
    expect(JSON.stringify(link.body)).not.toContain('Bruno');
    const exported = await orders.call('GET /api/customers/orders/export', { token });
    expect(JSON.stringify(exported.body)).toContain(code);
  });

  test('is refused the certificate of another person’s order', async () => {
    const { orderId } = await plantedOrder({ customer: { email: 'carla@mail.test', name: 'Carla' } });
    expect(refusal(await ask(orderId))).toEqual([404, 'not-found']);
  });

  test('is refused after fifty versions', async () => {
    const { orderId } = await plantedOrder();
    for (let version = 1; version <= 50; version++)
      expect((await ask(orderId, { name: `Alba ${version}`, language: 'en' })).status).toBe(200);
    expect(refusal(await ask(orderId, { name: 'Alba', language: 'en' }))).toEqual([429, 'too-many-requests']);
  });
});

describe('a guest', () => {
  test('gets the certificate by private link and the order’s address', async () => {
    const { orderToken } = await plantedOrder();
    const { status, body } = await askByLink(orderToken, {
      name: 'Alba',
      language: 'en',
      email: ' ALBA@mail.test',
    });
    expect(status).toBe(200);
    expect((await look(body.certificate.code)).body).toMatchObject({ state: 'valid', name: 'Alba' });
  });

  test('with another address is refused, and stopped after ten', async () => {
    const { orderId, orderToken } = await plantedOrder();
    const wrong = { name: null, language: 'en', email: 'guess@mail.test' };
    const answers = [];
    for (let guess = 0; guess < 10; guess++) answers.push(await askByLink(orderToken, wrong, '203.0.113.7'));
    expect(wrongField(answers[0]!)).toMatchObject({ status: 422, errors: ['email: not-the-orders-email'] });
    expect(answers.at(-1)!.status).toBe(429);
    // One limit for all that a link and an address give.
    const receipt = await orders.call('POST /api/track/{token}/receipt', {
      params: { token: orderToken },
      body: { email: EMAIL },
      headers: { 'X-Forwarded-For': '203.0.113.7' },
    });
    expect(receipt.status).toBe(429);
    expect((await orders.order(orderId)).certificate).toBeUndefined();
  });
});

describe('a new fact', () => {
  test('makes a new version in the same write, and the earlier one leads to it', async () => {
    const { orderId } = await plantedOrder();
    const code = await issued(orderId);
    await orders.publish(photo(orderId));
    await withVersion(orderId, 2);
    await orders.publish(completed(orderId));
    await withVersion(orderId, 3);
    await orders.publish(growthBought(orderId), growthScheduled(orderId), growthVisited(orderId, 1));
    await withVersion(orderId, 4);
    await admin.edit(orderId, { location: 'Vereda Boquía, Salento', trees: 6 });
    const { certificate } = await withVersion(orderId, 5);
    const newest = (await look(certificate!.code)).body;
    expect(newest).toMatchObject({
      state: 'valid',
      version: 5,
      name: 'Alba y Bruno',
      trees: 6,
      place: 'Vereda Boquía, Salento',
      completedOn: dayOf(minute(50)),
      growthUpdates: 1,
      lastGrowthUpdateOn: dayOf(minute(201)),
      photo: 'AAAAAAAAAAAAAAAAAAAAAA.jpg',
    });
    expect((await look(code)).body).toMatchObject({
      state: 'superseded',
      version: 1,
      trees: 5,
      newest: { code: certificate!.code, version: 5 },
    });
    expect([await isMarked(code), await isMarked(certificate!.code)]).toEqual([true, false]);
  });

  test('is another worker, and not an edit of what a certificate does not say', async () => {
    const { orderId } = await plantedOrder();
    await issued(orderId);
    await admin.edit(orderId, { notes: 'The rain came', customerName: 'Alba Díaz Gil' });
    expect((await orders.order(orderId)).certificate).toMatchObject({ version: 1, name: 'Alba y Bruno' });
    const pablo = { ...ANA, workerId: 'worker-pablo', name: 'Pablo Mora' };
    const by = { role: 'admin', id: 'admin-1', name: 'Lucía' } as const;
    await orders.publish(assigned(orderId, { statusRevision: 2, worker: pablo, by, previousWorker: ANA }));
    const { certificate } = await withVersion(orderId, 2);
    expect((await look(certificate!.code)).body.plantedBy).toBe('Pablo');
  });

  test('is a hidden photo, which no version shows any more', async () => {
    const { orderId } = await plantedOrder();
    await orders.publish(photo(orderId));
    await orders.order(orderId, ({ photos }) => photos.length === 1);
    const code = await issued(orderId);
    expect((await look(code)).body.photo).toBe('AAAAAAAAAAAAAAAAAAAAAA.jpg');
    await orders.publish(hidden(orderId));
    const { certificate } = await withVersion(orderId, 2);
    for (const one of [code, certificate!.code]) expect((await look(one)).body.photo).toBeUndefined();
    await orders.publish(restored(orderId));
    await withVersion(orderId, 3);
  });
});

describe('an admin', () => {
  test('revokes every version for good, with a reason that anybody reads', async () => {
    const { orderId } = await plantedOrder();
    const [first, second] = [await issued(orderId), await issued(orderId, { name: 'Alba', language: 'en' })];
    expect(await isMarked(second)).toBe(false);
    const { status, body } = await revoke(first);
    expect(status).toBe(200);
    expect(body.order.certificate).toMatchObject({ code: second, state: 'revoked' });
    expect(body.order.timeline.at(-1)).toMatchObject({
      type: 'certificate_revoked',
      cause: 'admin',
      reason: 'The name is someone else’s',
      by: { role: 'admin' },
    });
    for (const code of [first, second]) {
      expect((await look(code)).body).toMatchObject({
        state: 'revoked',
        name: null,
        revoked: { cause: 'admin', reason: 'The name is someone else’s', at: expect.any(String) },
      });
      expect(await isMarked(code)).toBe(true);
    }
    expect(refusal(await pdf(second))).toEqual([409, 'certificate-revoked']);
    expect(refusal(await ask(orderId))).toEqual([409, 'certificate-revoked']);
    await orders.publish(completed(orderId));
    const after = await orders.order(orderId, (order) => order.status === 'completed');
    expect(after.certificate).toMatchObject({ version: 2, state: 'revoked' });
    expect((await revoke(second, 'Another reason')).body.order.certificate.revoked.reason).toBe(
      'The name is someone else’s',
    );
  });

  test.each([[''], ['  '], ['x'.repeat(501)]])('has to give a reason: %j', async (reason) => {
    const { orderId } = await plantedOrder();
    const code = await issued(orderId);
    expect(wrongField(await revoke(code, reason))).toMatchObject({ status: 422, type: 'validation-failed' });
    expect((await look(code)).body.state).toBe('valid');
  });

  test('who takes a planted order back revokes it, and planting makes it valid again', async () => {
    const { orderId } = await plantedOrder();
    const code = await issued(orderId);
    await admin.setStatus(orderId, { status: 'assigned' });
    expect((await look(code)).body).toMatchObject({ state: 'revoked', revoked: { cause: 'not_planted' } });
    expect(refusal(await ask(orderId, { name: 'Alba', language: 'en' }))).toEqual([
      409,
      'certificate-not-yet',
    ]);
    await admin.setStatus(orderId, { status: 'planted' });
    const { certificate } = await withVersion(orderId, 2);
    expect((await look(certificate!.code)).body).toMatchObject({ state: 'valid', name: 'Alba y Bruno' });
    expect((await look(code)).body).toMatchObject({ state: 'superseded' });
    expect(await isMarked(code)).toBe(true);
  });
});

test('a refund after the planting leaves the certificate valid, a withdrawn order revokes it', async () => {
  const { orderId } = await plantedOrder();
  const code = await issued(orderId);
  await orders.publish(refunded(orderId));
  await orders.order(orderId, ({ refunds }) => refunds.length === 1);
  expect((await look(code)).body.state).toBe('valid');
  await admin.setStatus(orderId, { status: 'pending' });
  expect((await look(code)).body).toMatchObject({ state: 'revoked', revoked: { cause: 'withdrawn' } });
});

test('a donor who was erased is named by no version, and the trees stay', async () => {
  const email = 'lea@mail.test';
  const { orderId, orderToken } = await plantedOrder({ customer: { email, name: 'Lea Luna' } });
  const { body } = await askByLink(orderToken, { name: 'Lea Luna', language: 'en', email });
  const { code } = body.certificate;
  await orders.publish({
    type: 'customer.erased',
    data: { accountId: 'account-lea', email, ordersToo: true, at: minute(500) },
  });
  const { certificate, timeline } = await withVersion(orderId, 2);
  expect(JSON.stringify(timeline)).not.toContain('Lea');
  expect((await look(certificate!.code)).body).toMatchObject({ state: 'valid', name: null, trees: 5 });
  for (const one of [code, certificate!.code]) {
    expect(JSON.stringify((await look(one)).body)).not.toContain('Lea');
    expect(JSON.stringify((await credential(one)).body)).not.toContain('Lea');
  }
  const again = await askByLink(orderToken, { name: 'Lea', language: 'en', email });
  expect(refusal(again)).toEqual([410, 'certificate-erased']);
});

describe('a code', () => {
  test('is read in any case, with blanks or without hyphens', async () => {
    const { orderId } = await plantedOrder();
    const code = await issued(orderId);
    for (const typed of [code.toLowerCase(), code.replaceAll('-', ''), code.replaceAll('-', ' ')])
      expect((await look(typed)).body.code).toBe(code);
  });

  test.each([
    ['en', 'This is not a certificate’s code. Check it letter by letter.'],
    ['es', 'Este no es un código de certificado. Revísalo letra por letra.'],
  ])('with a typo is said to be mistyped in %s', async (language, message) => {
    const { orderId } = await plantedOrder();
    const code = await issued(orderId);
    const typo = code.slice(0, -1) + (code.endsWith('7') ? '8' : '7');
    const { status, body } = await orders.call('GET /api/certificates/{code}', {
      params: { code: typo },
      headers: { 'Accept-Language': language },
    });
    expect(status).toBe(404);
    expect(body.errors).toEqual([{ path: 'code', type: 'certificate-mistyped', message }]);
  });

  test('that was never given out is unknown', async () => {
    const code = certificateCode(randomBytes(CODE_BYTES));
    for (const answer of [await look(code), await pdf(code), await credential(code), await revoke(code)])
      expect(refusal(answer)).toEqual([404, 'certificate-unknown']);
  });
});

describe('the PDF', () => {
  test('is of the newest version, in both languages, and carries its code', async () => {
    const { orderId } = await plantedOrder();
    const code = await issued(orderId);
    for (const [language, name] of [
      ['en', 'certificate'],
      ['es', 'certificado'],
    ] as const) {
      const { status, headers, body } = await pdf(code, { language });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/pdf');
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('content-disposition')).toContain(`arboleda-${name}-${code}.pdf`);
      expect(body.toString('latin1')).toContain(`${PDF_KEYWORD}${code}`);
      expect(body.toString('latin1')).toContain(`/Lang (${language})`);
    }
    await issued(orderId, { name: null, language: 'es' });
    expect(refusal(await pdf(code))).toEqual([409, 'certificate-superseded']);
  });
});

describe('a machine', () => {
  test('finds key, context and status list of a credential where it says', async () => {
    const { orderId } = await plantedOrder();
    const { headers, body } = await credential(await issued(orderId));
    expect(headers.get('content-type')).toMatch(/^application\/vc/);
    const did = await orders.call('GET /.well-known/did.json');
    expect(did.body.id).toBe('did:web:arboleda.test');
    expect(body.issuer.id).toBe(did.body.id);
    expect(did.body.assertionMethod).toContain(body.proof.verificationMethod);
    const context = await orders.call('GET /api/certificates/context');
    expect(context.headers.get('content-type')).toMatch(/^application\/ld\+json/);
    expect(body['@context'][1]).toBe('https://arboleda.test/api/certificates/context');
    expect(body.credentialStatus.statusListCredential).toBe('https://arboleda.test/api/certificate-status/0');
    const none = await orders.call('GET /api/certificate-status/{list}', { params: { list: '7' } });
    expect(none.status).toBe(404);
  });
});

test('each version and the revocation are published', async () => {
  const { orderId } = await plantedOrder();
  const code = await issued(orderId);
  await orders.publish(completed(orderId));
  const { certificate } = await withVersion(orderId, 2);
  await revoke(code);
  await waitFor(async () =>
    orders.probe.all('certificate.revoked').some(({ data }) => data.orderId === orderId),
  );
  const certificates = orders.probe.all('certificate.issued').filter(({ data }) => data.orderId === orderId);
  expect(certificates.map(({ data }) => [data.version, data.because])).toEqual([
    [1, 'requested'],
    [2, 'record'],
  ]);
  const [revoked] = orders.probe.all('certificate.revoked').filter(({ data }) => data.orderId === orderId);
  expect(revoked!.data).toMatchObject({ code: certificate!.code, cause: 'admin' });
});
