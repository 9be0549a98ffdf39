import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSandbox, PUBLISHABLE_KEY, SECRET_KEY, type TestSandbox } from '../testing/sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => void (sandbox = await openSandbox()));
afterAll(() => sandbox.remove());

const create = (key: string, params: Record<string, string> = {}) =>
  fetch(`${sandbox.apiUrl}/v1/payment_intents`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${SECRET_KEY}:`)}`, 'Idempotency-Key': key },
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

test('the same key for something else is refused', async () => {
  await create('two');
  const other = await create('two', { amount: '9900' });
  expect(other.status).toBe(400);
  expect((await bodyOf(other)).error?.type).toBe('idempotency_error');
});

test('of two at once one is told that the other is under way', async () => {
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

test('a request refused for its parameters may be put right under the same key', async () => {
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

test('a key longer than Stripe takes is refused', async () => {
  expect((await create('k'.repeat(256))).status).toBe(400);
});

test('a body that cannot be read is refused, not kept', async () => {
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

test('a request without a key of the account says so', async () => {
  const answer = await fetch(`${sandbox.apiUrl}/v1/events`);
  expect(answer.status).toBe(401);
  const known = await fetch(`${sandbox.apiUrl}/v1/events`, {
    headers: { Authorization: `Bearer ${PUBLISHABLE_KEY}` },
  });
  expect((await bodyOf(known as Response)).error?.code).toBe('secret_key_required');
  expect((await fetch(`${sandbox.apiUrl}/v1/unicorns`)).status).toBe(404);
});
