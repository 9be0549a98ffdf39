import { request } from '@arboleda/chassis/testing/request.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { jpeg } from './pictures.ts';
import { startTestTransfers, type TestTransfers } from './transfers.ts';

jest.setTimeout(60_000);

let transfers: TestTransfers;
beforeAll(async () => {
  transfers = await startTestTransfers();
});
afterAll(() => transfers.close());

const sent = async (fields: Record<string, string> = {}): Promise<string> =>
  (await transfers.send(fields)).body.orderId;

const clara = { role: 'admin', id: 'clara', name: 'Clara' };

const diego = { role: 'admin', id: 'diego', name: 'Diego' };

describe('an admin approves', () => {
  test('as the product spec says, with only the id, and the order proceeds', async () => {
    const id = await sent({ referenceNumber: 'M123456' });
    const answer = await transfers.verify(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      success: true,
      order: {
        _id: id,
        manualPayment: { verificationStatus: 'approved', approval: { by: clara, at: expect.any(String) } },
      },
    });
    const event = await transfers.events.next('payment.succeeded', ({ data }) => data.orderId === id);
    expect(event.data).toMatchObject({
      orderId: id,
      method: { kind: 'transfer', bank: 'bancolombia' },
      transactionId: 'M123456',
      referenceNumber: 'M123456',
      amountMinor: 8_230_000,
      currency: 'COP',
      trees: 5,
      customer: { email: 'ana@arboleda.test' },
      approvedBy: clara,
      paidAt: answer.body.order.manualPayment.approval.at,
    });
    expect(event.data).not.toHaveProperty('card');
  });

  test('with the received amount and a note; a difference is shown', async () => {
    const id = await sent();
    await transfers.verify(id, { body: { amountReceived: 8_000_000, note: ' Fee of the bank ' } });
    const { manualPayment } = await transfers.order(id);
    expect(manualPayment.approval).toMatchObject({ amountReceived: 8_000_000, note: 'Fee of the bank' });
    expect(manualPayment.flags).toEqual([{ type: 'amount-differs' }]);
  });

  test('without a reference, under the payment’s own id', async () => {
    const id = await sent();
    await transfers.verify(id);
    const { data } = await transfers.events.next('payment.succeeded', (event) => event.data.orderId === id);
    expect(data.transactionId).toBe(data.paymentId);
  });

  test('twice, which counts as one approval with the same answer', async () => {
    const id = await sent();
    const first = await transfers.verify(id, { body: { note: 'first' } });
    const again = await transfers.verify(id, { body: { note: 'second' } });
    expect(again).toMatchObject({ status: 200, body: first.body });
  });

  test.each([
    ['a negative amount', { amountReceived: -1 }, 'amountReceived'],
    ['an amount in words', { amountReceived: 'all' }, 'amountReceived'],
    ['a note with a zero byte', { note: 'a\u0000' }, 'note'],
    ['a note without end', { note: 'a'.repeat(1001) }, 'note'],
  ])('but not with %s', async (_what, body, path) => {
    const id = await sent();
    const answer = await transfers.verify(id, { body });
    expect(answer).toMatchObject({ status: 422, body: { type: 'validation-failed', errors: [{ path }] } });
    expect((await transfers.order(id)).manualPayment.verificationStatus).toBe('pending');
  });
});

describe('an admin rejects', () => {
  test('with a reason that the donor receives', async () => {
    const id = await sent();
    const answer = await transfers.reject(id, { reason: ' The account is another one. ' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        order: { status: 'pending', manualPayment: { verificationStatus: 'rejected' } },
      },
    });
    const { data } = await transfers.events.next('payment.rejected', (event) => event.data.orderId === id);
    expect(data).toMatchObject({ orderId: id, reason: 'The account is another one.', by: clara });
    expect((await transfers.order(id)).manualPayment.rejection).toMatchObject({
      by: clara,
      reason: data.reason,
    });
  });

  test('twice, and the first reason stands', async () => {
    const id = await sent();
    const first = await transfers.reject(id, { reason: 'first' });
    expect(await transfers.reject(id, { reason: 'second' })).toMatchObject({
      status: 200,
      body: first.body,
    });
  });

  test.each([
    ['none', {}, 'required'],
    ['an empty one', { reason: '' }, 'required'],
    ['blanks', { reason: '  \n ' }, 'required'],
    ['one without end', { reason: 'a'.repeat(1001) }, 'too-long'],
  ])('but not with a reason that is %s', async (_what, body, type) => {
    const id = await sent();
    const answer = await transfers.reject(id, body);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'reason', type }] } });
    expect((await transfers.order(id)).manualPayment.verificationStatus).toBe('pending');
  });
});

describe('a decision is final:', () => {
  test.each([
    ['approved', 'transfer-already-approved'],
    ['rejected', 'transfer-already-rejected'],
  ])('a second admin gets a conflict after it was %s', async (status, type) => {
    const id = await sent();
    await (status === 'approved' ? transfers.verify(id) : transfers.reject(id));
    const { diego: token } = transfers.admins;
    for (const answer of [
      await transfers.verify(id, { token }),
      await transfers.reject(id, undefined, token),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { type } });
    }
    expect((await transfers.order(id)).manualPayment.verificationStatus).toBe(status);
  });

  test('the same admin cannot change it either', async () => {
    const [approved, rejected] = [await sent(), await sent()];
    await transfers.verify(approved);
    await transfers.reject(rejected);
    expect((await transfers.reject(approved)).body.type).toBe('transfer-already-approved');
    expect((await transfers.verify(rejected)).body.type).toBe('transfer-already-rejected');
  });
});

describe('two admins at the same time:', () => {
  /** Events of a transfer, complete once a later event has arrived. */
  async function published(id: string) {
    const later = await sent();
    await transfers.verify(later);
    await transfers.events.next('payment.succeeded', ({ data }) => data.orderId === later);
    const other = await sent();
    await transfers.reject(other);
    await transfers.events.next('payment.rejected', ({ data }) => data.orderId === other);
    return [...transfers.events.all('payment.succeeded'), ...transfers.events.all('payment.rejected')].filter(
      ({ data }) => data.orderId === id,
    );
  }

  test('both approve at two replicas, one wins', async () => {
    const replica = await transfers.start();
    for (let round = 0; round < 5; round++) {
      const id = await sent();
      const answers = await Promise.all([
        transfers.verify(id),
        transfers.verify(id, { token: transfers.admins.diego, url: replica.url }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await published(id)).toHaveLength(1);
    }
  });

  test('one approves and one rejects, one wins', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await sent();
      const [verified, rejected] = await Promise.all([
        transfers.verify(id),
        transfers.reject(id, undefined, transfers.admins.diego),
      ]);
      expect([verified.status, rejected.status].sort()).toEqual([200, 409]);
      const events = await published(id);
      expect(events.map(({ type }) => type)).toEqual([
        verified.status === 200 ? 'payment.succeeded' : 'payment.rejected',
      ]);
    }
  });
});

describe('above the amount that needs two admins', () => {
  let strict: string;
  beforeAll(async () => {
    strict = (await transfers.start({ secondAdminAboveUsd: 19.99 })).url;
  });
  const second = () => ({ token: transfers.admins.diego, url: strict });

  test('the first approval is only noted, the second one decides', async () => {
    const id = await sent();
    const first = await transfers.verify(id, { url: strict, body: { amountReceived: 8_230_000 } });
    expect(first.body.order.manualPayment).toMatchObject({
      verificationStatus: 'pending',
      needsSecondAdmin: true,
      firstApproval: { by: clara, amountReceived: 8_230_000 },
    });
    const done = await transfers.verify(id, second());
    expect(done.body.order.manualPayment).toMatchObject({
      verificationStatus: 'approved',
      firstApproval: { by: clara },
      approval: { by: diego },
    });
    const { data } = await transfers.events.next('payment.succeeded', (event) => event.data.orderId === id);
    expect(data.approvedBy).toEqual(diego);
  });

  test('one admin cannot approve twice', async () => {
    const id = await sent();
    await transfers.verify(id, { url: strict });
    const again = await transfers.verify(id, { url: strict });
    expect(again).toMatchObject({ status: 409, body: { type: 'second-admin-required' } });
    expect((await transfers.order(id)).manualPayment.verificationStatus).toBe('pending');
  });

  test('the first admin may still reject', async () => {
    const id = await sent();
    await transfers.verify(id, { url: strict });
    expect((await transfers.reject(id)).status).toBe(200);
    expect((await transfers.verify(id, second())).body.type).toBe('transfer-already-rejected');
  });

  test('up to the amount one admin decides', async () => {
    const id = await sent({ trees: '3', packageType: 'custom' });
    const answer = await transfers.verify(id, { url: strict });
    expect(answer.body.order.manualPayment).toMatchObject({
      verificationStatus: 'approved',
      needsSecondAdmin: false,
    });
  });
});

describe('who may decide', () => {
  test('admins only: no customer, no worker, nobody without a token', async () => {
    const id = await sent();
    const tokens = await Promise.all(
      (['customer', 'worker'] as const).map((role) => transfers.identity.token({ role })),
    );
    for (const token of tokens) {
      expect((await transfers.verify(id, { token })).status).toBe(403);
      expect((await transfers.reject(id, undefined, token)).status).toBe(403);
      expect((await transfers.list({}, token)).status).toBe(403);
    }
    expect((await transfers.verify(id, { token: '' })).status).toBe(401);
    expect((await transfers.reject(id, undefined, '')).status).toBe(401);
    expect((await transfers.list({}, '')).status).toBe(401);
    expect((await transfers.order(id)).manualPayment.verificationStatus).toBe('pending');
  });

  test.each(['0123456789abcdef01234567', 'not-an-id', '%00'])(
    'the unknown id %s is not found',
    async (id) => {
      expect((await transfers.verify(id)).status).toBe(404);
      expect((await transfers.reject(id)).status).toBe(404);
    },
  );
});

describe('a fault of ours is reported in the product spec’s words', () => {
  test.each([
    ['verify', 'Failed to verify payment'],
    ['reject', 'Failed to reject payment'],
  ] as const)('to who wants to %s', async (what, error) => {
    const id = await sent();
    await transfers.rows('alter table transfers rename column decided_at to decided');
    try {
      const answer = what === 'verify' ? await transfers.verify(id) : await transfers.reject(id);
      expect(answer).toMatchObject({ status: 500, body: { error, message: error } });
    } finally {
      await transfers.rows('alter table transfers rename column decided to decided_at');
    }
  });
});

test('each suggested reference is different', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => request(transfers.url, 'GET /api/manual-payments/reference')),
  );
  const references = answers.map(({ body }) => body.referenceNumber);
  for (const one of references) expect(one).toMatch(/^ARB-[2-9A-Z]{6}$/);
  expect(new Set(references).size).toBe(20);
});

describe('an admin sees a flag for:', () => {
  const flagsOf = async (id: string) => (await transfers.order(id)).manualPayment.flags;

  test('a file that was sent with another order', async () => {
    const files = [{ bytes: await jpeg() }];
    const first = await transfers.send({}, { files });
    await transfers.reject(first.body.orderId);
    const second = await transfers.send(
      { customerEmail: 'eva@arboleda.test' },
      { files: [{ bytes: await jpeg() }, ...files] },
    );
    const [, used] = (await transfers.order(second.body.orderId)).manualPayment.evidenceFiles;
    expect(await flagsOf(second.body.orderId)).toEqual([
      {
        type: 'file-used-before',
        filename: used.filename,
        orders: [{ _id: first.body.orderId, shortId: first.body.shortId, verificationStatus: 'rejected' }],
      },
    ]);
  });

  test('a repeated reference, however it was typed', async () => {
    const first = await transfers.send({ referenceNumber: 'm-987 654' });
    const second = await transfers.send({ referenceNumber: 'M987654' });
    expect(await flagsOf(second.body.orderId)).toEqual([
      {
        type: 'reference-used-before',
        orders: [{ _id: first.body.orderId, shortId: first.body.shortId, verificationStatus: 'pending' }],
      },
    ]);
  });

  test('no reference that is too short to identify a transfer', async () => {
    await transfers.send({ referenceNumber: '1' });
    const { body } = await transfers.send({ referenceNumber: '1' });
    expect(await flagsOf(body.orderId)).toEqual([]);
  });

  test('at most ten other orders, oldest first', async () => {
    const files = [{ bytes: await jpeg() }];
    const ids = [];
    for (let each = 0; each < 12; each++) {
      ids.push((await transfers.send({ customerEmail: `${each}@arboleda.test` }, { files })).body.orderId);
    }
    const [flag] = await flagsOf(ids.at(-1));
    expect(flag.orders.map(({ _id }: { _id: string }) => _id)).toEqual(ids.slice(0, 10));
  });

  test('a reference of ours with a typo', async () => {
    const { body } = await transfers.send({ referenceNumber: 'ARB-222223' });
    expect(await flagsOf(body.orderId)).toEqual([{ type: 'reference-mistyped' }]);
    expect((await transfers.order(body.orderId)).manualPayment.referenceOrigin).toBe('mistyped');
  });
});

test.each([
  ['limit', '0'],
  ['limit', 'all'],
  ['limit', '101'],
  ['status', 'lost'],
  ['cursor', 'bm8'],
  ['cursor', 'x'.repeat(401)],
])('the list is refused with %s=%s', async (name, value) => {
  const answer = await transfers.list({ [name]: value });
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: name }] } });
});
