import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSandbox, PUBLISHABLE_KEY, SECRET_KEY, type TestSandbox } from '../test/sandbox.ts';
import { keyKind } from './errors.ts';
import {
  decodeForm,
  email,
  flag,
  integer,
  oneOf,
  readMetadata,
  readParams,
  required,
  text,
  texts,
} from './params.ts';

const plain = (text: string) => JSON.parse(JSON.stringify(decodeForm(text)));

describe('a form body', () => {
  test('nests by brackets and indexes lists, like the official client', () => {
    expect(
      plain(
        'amount=1500&metadata[order]=a%20b&line_items[0][price]=p&line_items[0][quantity]=2&line_items[1][price]=q',
      ),
    ).toEqual({
      amount: '1500',
      metadata: { order: 'a b' },
      line_items: [{ price: 'p', quantity: '2' }, { price: 'q' }],
    });
  });

  test('treats empty brackets as the next list item', () => {
    expect(plain('expand[]=latest_charge&expand[]=customer')).toEqual({
      expand: ['latest_charge', 'customer'],
    });
  });

  test('decodes encoded brackets', () => {
    expect(plain('card%5Bnumber%5D=4242')).toEqual({ card: { number: '4242' } });
  });

  test('cannot reach the prototype of objects', () => {
    decodeForm('__proto__[polluted]=yes&a[__proto__][polluted]=yes');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('keeps the last of a scalar and a hash under one name', () => {
    expect(plain('a=1&a[b]=2')).toEqual({ a: { b: '2' } });
  });

  test('is rejected with thousands of parameters or endless brackets', () => {
    expect(() => decodeForm('a=1&'.repeat(1001))).toThrow(RangeError);
    expect(() => decodeForm(`a${'[b]'.repeat(50)}=1`)).toThrow(RangeError);
  });
});

describe('idempotency', () => {
  let sandbox: TestSandbox;

  beforeAll(async () => void (sandbox = await openSandbox()));

  afterAll(() => sandbox.remove());

  const create = (key: string, params: Record<string, string> = {}) =>
    fetch(`${sandbox.apiUrl}/v1/payment_intents`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${SECRET_KEY}`, 'Idempotency-Key': key },
      body: new URLSearchParams({ amount: '2500', currency: 'usd', ...params }),
    });

  type Answer = { id: string; error?: { type: string; code?: string } };

  const bodyOf = async (response: Response) => (await response.json()) as Answer;

  test('the same key and parameters get the same answer, and nothing happens twice', async () => {
    const first = await create('one');
    const second = await create('one');
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(await bodyOf(second)).toEqual(await bodyOf(first));
    const { data } = await sandbox.stripe.events.list({ type: 'payment_intent.created' });
    expect(data).toHaveLength(1);
  });

  test('rejects the same key for a different request', async () => {
    await create('two');
    const other = await create('two', { amount: '9900' });
    expect(other.status).toBe(400);
    expect((await bodyOf(other)).error?.type).toBe('idempotency_error');
  });

  test('rejects the second of two concurrent requests', async () => {
    const answers = await Promise.all([create('three'), create('three'), create('three')]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect(statuses.slice(1).every((status) => status === 409 || status === 200)).toBe(true);
    const ids = new Set(
      await Promise.all(answers.filter(({ ok }) => ok).map(async (answer) => (await bodyOf(answer)).id)),
    );
    expect(ids.size).toBe(1);
    expect((await create('three')).headers.get('idempotent-replayed')).toBe('true');
  });

  test('a request with invalid parameters may be corrected under the same key', async () => {
    expect((await create('four', { amount: '1' })).status).toBe(400);
    expect((await create('four')).status).toBe(200);
  });

  test('a declined card is declined again, not charged again', async () => {
    const intent = await sandbox.stripe.paymentIntents.create({ amount: 2500, currency: 'usd' });
    const confirm = () =>
      sandbox.stripe.paymentIntents
        .confirm(
          intent.id,
          { payment_method: 'pm_card_chargeDeclined', return_url: 'https://shop.example' },
          { idempotencyKey: 'five' },
        )
        .catch((error) => error.payment_intent.latest_charge);
    expect(await confirm()).toBe(await confirm());
  });

  test('rejects a key longer than Stripe allows', async () => {
    expect((await create('k'.repeat(256))).status).toBe(400);
  });

  test('an unreadable body is rejected, and not stored', async () => {
    const big = await create('six', { description: 'x'.repeat(1_100_000) });
    expect(big.status).toBe(413);
    expect((await bodyOf(big)).error?.type).toBe('invalid_request_error');
    const control = await fetch(`${sandbox.url}/sandbox/webhooks`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${SECRET_KEY}` },
      body: '{"mode":',
    });
    expect(control.status).toBe(400);
    expect((await bodyOf(control)).error?.type).toBe('invalid_request_error');
  });

  test('reports a request without an API key', async () => {
    const answer = await fetch(`${sandbox.apiUrl}/v1/events`);
    expect(answer.status).toBe(401);
    const known = await fetch(`${sandbox.apiUrl}/v1/events`, {
      headers: { Authorization: `Bearer ${PUBLISHABLE_KEY}` },
    });
    expect((await bodyOf(known as Response)).error?.code).toBe('secret_key_required');
    expect((await fetch(`${sandbox.apiUrl}/v1/unicorns`)).status).toBe(404);
  });
});

const keys = { secretKey: 'sk_test_mine', publishableKey: 'pk_test_mine' };

test.each([
  ['Bearer sk_test_mine', undefined, 'secret'],
  ['bearer pk_test_mine', undefined, 'publishable'],
  [undefined, 'pk_test_mine', 'publishable'],
])('recognises a key in %s or %s', (header, param, kind) => expect(keyKind(header, param, keys)).toBe(kind));

test.each([
  [undefined, undefined, /did not provide an API key/],
  ['Bearer ', undefined, /did not provide an API key/],
  ['Digest sk_test_mine', undefined, /did not provide an API key/],
  ['Bearer sk_test_theirs_and_long', undefined, /Invalid API Key provided: sk_test_\*+long/],
  [undefined, ['pk_test_mine'], /did not provide an API key/],
])('rejects anything else: %s', (header, param, message) =>
  expect(() => keyKind(header, param, keys)).toThrow(message),
);

describe('lists', () => {
  let sandbox: TestSandbox;
  let ids: string[];

  beforeAll(async () => {
    sandbox = await openSandbox();
    ids = [];
    for (const amount of [1000, 2000, 3000]) {
      ids.unshift((await sandbox.stripe.paymentIntents.create({ amount, currency: 'usd' })).id);
    }
  });

  afterAll(() => sandbox.remove());

  const list = (query: object) => sandbox.stripe.paymentIntents.list(query);

  test('give the newest first, page by page', async () => {
    const first = await list({ limit: 2 });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.has_more).toBe(true);
    const seen: string[] = [];
    for await (const { id } of list({ limit: 2, created: { gte: 1 } })) seen.push(id);
    expect(seen).toEqual(ids);
    expect((await list({ created: { lt: 1000 } })).data).toEqual([]);
  });

  test.each([
    [{ limit: 0 }],
    [{ limit: 101 }],
    [{ limit: 'x' }],
    [{ starting_after: 'pi_9' }],
    [{ created: { near: 1 } }],
    [{ colour: 'green' }],
  ])('are refused for %j', async (query) => {
    await expect(list(query)).rejects.toMatchObject({ statusCode: 400 });
  });

  test('replace ids by their objects, also inside of those', async () => {
    const intent = await sandbox.stripe.paymentIntents.create({
      amount: 2500,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    const charge = String(intent.latest_charge);
    await sandbox.control('POST', `/charges/${charge}/settle`);
    const { data } = await sandbox.stripe.paymentIntents.list({
      limit: 2,
      expand: ['data.latest_charge.balance_transaction'],
    });
    expect(data).toMatchObject([
      { latest_charge: { id: charge, balance_transaction: { source: charge, amount: 2500 } } },
      { latest_charge: null },
    ]);
    await expect(sandbox.stripe.paymentIntents.retrieve(intent.id, { expand: ['owner'] })).rejects.toThrow(
      /cannot be expanded \(owner\)/,
    );
    expect(await sandbox.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ latest_charge: charge });
  });
});

const read = (query: string) =>
  readParams(decodeForm(query), {
    amount: integer,
    email,
    live: flag,
    kind: oneOf('tree', 'photo'),
    name: text,
    tags: texts,
  });

test('parses parameters into their types; absent ones are undefined', () => {
  expect(read('amount=-5&live=true&kind=tree&name=ceiba&tags[]=a&tags[]=b')).toEqual({
    amount: -5,
    email: undefined,
    live: true,
    kind: 'tree',
    name: 'ceiba',
    tags: ['a', 'b'],
  });
});

test.each([
  ['amount=1.5', 'amount'],
  ['amount=', 'amount'],
  ['amount=1e3', 'amount'],
  ['amount[a]=1', 'amount'],
  ['email=nobody', 'email'],
  ['live=yes', 'live'],
  ['kind=stone', 'kind'],
  ['tags=a', 'tags'],
  ['size=3', 'size'],
])('%s is rejected by name', (query, param) => {
  expect(() => read(query)).toThrow(expect.objectContaining({ body: expect.objectContaining({ param }) }));
});

test('accepts parameters common to all requests', () => {
  expect(() => read('key=pk_test&expand[]=a')).not.toThrow();
});

test('names a missing required parameter', () => {
  expect(() => readParams(decodeForm(''), { name: required(text) })).toThrow('Missing required param: name.');
});

describe('metadata', () => {
  test('drops empty values', () => {
    expect(readMetadata(decodeForm('b=2&a='))).toEqual({ b: '2' });
  });

  test('has limits', () => {
    expect(() => readMetadata({ ['k'.repeat(41)]: 'v' })).toThrow(/40 characters/);
    expect(() => readMetadata({ k: 'v'.repeat(501) })).toThrow(/500 characters/);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v']));
    expect(() => readMetadata(many)).toThrow(/50 keys/);
  });
});
