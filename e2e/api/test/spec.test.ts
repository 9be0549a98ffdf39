import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import { PASSWORD } from '../../harness/accounts.ts';
import { waitFor } from '../../harness/wait.ts';
import { PHOTO_FILES } from '../fuzz/photo-files.ts';
import { openFilledProduct, type FilledProduct } from '../filled-product.ts';

/**
 * The calls of the product specification as it writes them: nothing is sent beyond what it names, no header but the
 * token, and what it reads of an answer is there.
 */
let filled: FilledProduct;
let tokens: { customer: string; worker: string; admin: string };
beforeAll(async () => {
  filled = await openFilledProduct();
  tokens = {
    customer: await filled.token('customer'),
    worker: await filled.token('worker'),
    admin: await filled.token('admin'),
  };
}, 120_000);
afterAll(() => filled?.close());

async function ask(
  method: string,
  path: string,
  parts: { token?: string; json?: object; form?: FormData } = {},
) {
  const response = await fetch(filled.product.url + path, {
    method,
    headers: {
      ...(parts.token && { Authorization: `Bearer ${parts.token}` }),
      ...(parts.json && { 'Content-Type': 'application/json' }),
    },
    body: parts.form ?? (parts.json ? JSON.stringify(parts.json) : null),
  });
  const type = response.headers.get('content-type') ?? '';
  const body = /\bjson\b/.test(type) ? await response.json() : await response.arrayBuffer();
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what the specification reads of it is looked at
  return { status: response.status, type, body: body as any };
}

const picture = () => new Blob([new Uint8Array(PHOTO_FILES.png)], { type: 'image/png' });

function form(fields: Record<string, string>, file: string, files: readonly string[]): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  for (const name of files) data.append(file, picture(), name);
  return data;
}

describe('anybody', () => {
  test('GET /api/stats', async () => {
    const { status, body } = await ask('GET', '/api/stats');
    expect([status, body]).toEqual([200, expect.objectContaining({ treesPlanted: expect.any(Number) })]);
  });

  test('GET /api/pricing/dynamic', async () => {
    const { body } = await ask('GET', '/api/pricing/dynamic');
    expect(body).toMatchObject({
      currency: 'USD',
      country: 'United States',
      exchangeRate: 1,
      basePrice: 5,
      localPrice: 5,
      formatted: '$5.00',
      symbol: '$',
      flag: '🇺🇸',
    });
  });

  test('POST /api/pricing/create-payment-intent', async () => {
    const json = {
      trees: 5,
      packageType: 'grove',
      currency: 'USD',
      locale: 'en',
      customerEmail: 'guest@spec.test',
      customerName: 'Guest',
    };
    const { status, body } = await ask('POST', '/api/pricing/create-payment-intent', { json });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.client_secret).toMatch(/^pi_.+_secret_/);
    const refused = await ask('POST', '/api/pricing/create-payment-intent', { json: { ...json, trees: 0 } });
    expect(refused.body.error).toEqual(expect.any(String));
  });

  test('POST /api/manual-payments/create-order', async () => {
    const fields = {
      trees: '1',
      packageType: 'individual',
      currency: 'COP',
      bankName: 'bancolombia',
      customerEmail: 'spec@spec.test',
      customerName: 'Spec',
      customerPhone: '',
      paymentMethod: 'manual_bancolombia',
      referenceNumber: '',
    };
    const sent = await ask('POST', '/api/manual-payments/create-order', {
      form: form(fields, 'evidenceFiles', ['a.png', 'b.png']),
    });
    expect(sent.body).toMatchObject({ success: true });
    const none = await ask('POST', '/api/manual-payments/create-order', {
      form: form(fields, 'evidenceFiles', []),
    });
    expect(none.body.error).toBe('Please upload payment evidence');
    const nameless = form({ ...fields, customerName: '' }, 'evidenceFiles', ['a.png']);
    const refused = await ask('POST', '/api/manual-payments/create-order', { form: nameless });
    expect(refused.body.error).toBe('Please fill in all required fields');
  });

  test('GET /api/photos/{filename}', async () => {
    const { status, type } = await ask('GET', `/api/photos/${filled.objects.photoFilename}`);
    expect([status, type]).toEqual([200, 'image/jpeg']);
  });
});

describe.each(['customer', 'admin', 'worker'] as const)('a %s', (role) => {
  test(`POST /api/auth/${role}/login and GET /api/auth/${role}/verify`, async () => {
    const path = `/api/auth/${role}/login`;
    const login = await ask('POST', path, { json: { email: `owner-${role}@api.test`, password: PASSWORD } });
    expect(login.body).toMatchObject({
      token: expect.any(String),
      user: { email: `owner-${role}@api.test` },
    });
    const verified = await ask('GET', `/api/auth/${role}/verify`, { token: login.body.token });
    const person = role === 'worker' ? verified.body.worker : verified.body.user;
    expect(person).toMatchObject({ name: expect.any(String), email: `owner-${role}@api.test` });
    const wrong = await ask('POST', path, { json: { email: 'owner@api.test', password: 'wrong' } });
    expect([wrong.status, wrong.body.error]).toEqual([401, expect.any(String)]);
  });
});

test('a worker logs in by the worker id in the field of the email', async () => {
  const json = { email: 'QU-901', password: PASSWORD };
  const { body } = await ask('POST', '/api/auth/worker/login', { json });
  expect(body.user).toMatchObject({ workerId: 'QU-901' });
});

describe('a customer', () => {
  test('POST /api/auth/customer/register', async () => {
    const json = { name: 'Nueva Clienta', email: 'nueva@spec.test', password: 'cafetal-en-flor-22' };
    const { body } = await ask('POST', '/api/auth/customer/register', { json });
    expect(body).toMatchObject({ token: expect.any(String), user: { name: 'Nueva Clienta' } });
    expect((await ask('POST', '/api/auth/customer/register', { json })).body.error).toEqual(
      expect.any(String),
    );
  });

  test('GET /api/customers/orders', async () => {
    const { body } = await ask('GET', '/api/customers/orders', { token: tokens.customer });
    const order = body.orders.find((one: { _id: string }) => one._id === filled.objects.orderId);
    expect(order).toMatchObject({
      status: 'planted',
      trees: 5,
      amount: 2000,
      currency: 'USD',
      paymentMethod: 'stripe',
      customerEmail: 'owner-customer@api.test',
      customerName: expect.any(String),
      createdAt: expect.any(String),
      assignedDate: expect.any(String),
      plantingDate: expect.any(String),
      assignedWorker: { name: expect.any(String), region: 'Quindío' },
      transactionId: expect.stringMatching(/^pi_/),
      photos: [{ filename: expect.any(String) }],
    });
  });

  test('POST /api/payments/create-photo-package-checkout', async () => {
    const json = { priceId: 'price_first_year', originalOrderId: filled.objects.orderId };
    const path = '/api/payments/create-photo-package-checkout';
    // One was bought before: what is refused says why in `message`.
    const refused = await ask('POST', path, { token: tokens.customer, json });
    expect([refused.status, refused.body.message]).toEqual([409, expect.any(String)]);
    const { orderId } = await openDriver(filled.product).buy('owner-customer@api.test', { trees: 1 });
    const offered = await waitFor('an order to add to', async () => {
      const answer = await ask('POST', path, {
        token: tokens.customer,
        json: { ...json, originalOrderId: orderId },
      });
      return answer.status === 200 && answer;
    });
    expect(offered.body.checkoutUrl).toMatch(/^http/);
  });
});

describe('a worker', () => {
  test('the assignments: list, planted to completed, photos', async () => {
    const list = await ask('GET', '/api/workers/assignments', { token: tokens.worker });
    const id = filled.objects.assignmentId;
    const mine = list.body.assignments.find((one: { _id: string }) => one._id === id);
    expect(mine).toMatchObject({
      orderId: filled.objects.orderId,
      customerEmail: 'owner-customer@api.test',
      location: expect.any(String),
      assignedAt: expect.any(String),
      photos: expect.any(Array),
    });
    const photos = form({}, 'photos', ['one.png', 'two.png']);
    const sent = await ask('POST', `/api/workers/assignments/${id}/photos`, {
      token: tokens.worker,
      form: photos,
    });
    expect(sent.status).toBe(201);
    const json = { status: 'completed', notes: '' };
    const path = `/api/workers/assignments/${id}/status`;
    const done = await ask('PUT', path, { token: tokens.worker, json });
    expect(done.body.assignment).toMatchObject({ status: 'completed' });
  });
});

describe('an admin', () => {
  const as = (method: string, path: string, json?: object) =>
    ask(method, path, { token: tokens.admin, ...(json && { json }) });

  test('GET /api/admin/orders/manage', async () => {
    const { body } = await as('GET', '/api/admin/orders/manage');
    const order = body.orders.find((one: { _id: string }) => one._id === filled.objects.orderId);
    expect(order).toMatchObject({
      customerEmail: 'owner-customer@api.test',
      trees: 5,
      amount: 2000,
      currency: 'USD',
      assignedWorker: { name: expect.any(String), email: 'owner-worker@api.test', region: 'Quindío' },
    });
  });

  test('PUT /api/admin/orders/{id}/status, any of the four', async () => {
    const path = `/api/admin/orders/${filled.objects.orderId}/status`;
    for (const status of ['planted', 'completed', 'pending', 'assigned']) {
      const { body, ...answer } = await as('PUT', path, { status });
      expect([answer.status, body.error]).toEqual([200, undefined]);
    }
    const { body } = await as('PUT', path, { status: 'felled' });
    expect(body.error).toEqual(expect.any(String));
  });

  test('PUT /api/admin/orders/{id}', async () => {
    const edited = {
      trees: 6,
      amount: 2400,
      currency: 'EUR',
      notes: 'Checked.',
      location: 'Vereda Cocora',
      customerEmail: 'owner-customer@api.test',
      customerName: 'Rosa Prueba',
      coordinates: { latitude: 4.637812, longitude: -75.487654 },
    };
    const { body } = await as('PUT', `/api/admin/orders/${filled.objects.orderId}`, edited);
    expect(body.order).toMatchObject(edited);
  });

  test('the manual payments: pending, evidence, reject with a reason, verify with nothing', async () => {
    const { body } = await as('GET', '/api/admin/manual-payments/pending-verification');
    const order = body.orders.find((one: { _id: string }) => one._id === filled.objects.transferOrderId);
    expect(order).toMatchObject({
      customerEmail: 'transfer@api.test',
      customerName: 'Tomás Prueba',
      customerPhone: '+57 300 000 0000',
      trees: 1,
      currency: 'COP',
      paymentMethod: 'manual_bancolombia',
      createdAt: expect.any(String),
      manualPayment: {
        referenceNumber: 'REF-1',
        verificationStatus: 'pending',
        evidenceFiles: [
          { filename: expect.any(String), originalName: 'evidence.png', fileSize: PHOTO_FILES.png.length },
        ],
      },
    });
    const [{ filename }] = order.manualPayment.evidenceFiles;
    const evidence = await as('GET', `/api/admin/manual-payments/evidence/${filename}`);
    expect([evidence.status, evidence.type]).toEqual([200, expect.stringMatching(/^image\//)]);
    const empty = await as('POST', `/api/admin/manual-payments/reject/${order._id}`, { reason: ' ' });
    expect([empty.status, empty.body.error]).toEqual([422, expect.any(String)]);
    expect((await as('POST', `/api/admin/manual-payments/verify/${order._id}`)).status).toBe(200);
    await waitFor('the approved order in the main list', async () => {
      const { body: list } = await as('GET', '/api/admin/orders/manage');
      return list.orders.some((one: { _id: string }) => one._id === order._id);
    });
  });
});
