import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { ORDER_SORTS } from '@arboleda/contracts/endpoints/orders/listing.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { decidePayment, decideSubmission } from '../order/creation.ts';
import { decideEdit } from '../order/edit.ts';
import { decideGrowthPurchase } from '../growth/growth.ts';
import { decideRefund } from '../money/money.ts';
import { decidePhoto } from '../order/photos.ts';
import { decideStatus } from '../order/status.ts';
import { decideStep } from '../order/step.ts';
import { type Filter, type Position, positionOf, type Sort } from '../list/listing.ts';
import type { Order } from '../order/order.ts';
import { openOrderStore } from '../store.ts';
import { MIGRATIONS } from '../order/store.ts';
import type { OrderStore } from '../store.ts';
import { columns } from '../order/table.ts';
import { assigned, completed, minute, newOrderId, payment, photo, planted } from './builders.ts';
import { TEMPLATE } from './fixture.ts';
import { approved, growthBought, LUCIA, refunded, submitted } from './event-builders.ts';

let platform: TestPlatform;
let sql: Sql;
let store: OrderStore;
beforeAll(async () => {
  platform = await openTestPlatform({ template: TEMPLATE });
  sql = await platform.sql('orders', MIGRATIONS);
  store = openOrderStore(sql);
});
afterAll(() => platform.close());

const paid = (overrides?: Parameters<typeof payment>[0]): Order =>
  decidePayment(undefined, payment(overrides).data)!.record;
const keep = async (order: Order): Promise<Order> =>
  (await store.change(order.id, () => ({ record: order })))!;

describe('an order', () => {
  const order = paid({ region: 'Quindío' });
  const id = order.id;
  const transferId = newOrderId();
  const transfer = decideSubmission(undefined, submitted(transferId).data)!.record;
  const inField = decideStep(order, assigned(id))!.record;
  const inGround = decidePhoto(decideStep(inField, planted(id))!.record, photo(id).data)!.record;
  const edit = { notes: 'Steep', coordinates: { latitude: 4.6, longitude: -75.5 } };

  test.each<[string, Order]>([
    ['paid by card', order],
    ['announced', transfer],
    ['paid by transfer', decidePayment(transfer, approved(transferId).data)!.record],
    ['assigned', inField],
    ['planted, with a photo', inGround],
    ['completed', decideStep(inGround, completed(id))!.record],
    ['planted by an admin alone', decideStatus(order, { status: 'planted' }, LUCIA, minute(9))!.record],
    ['edited', decideEdit(order, edit, { by: LUCIA, at: minute(9) })!.record],
    ['given back', decideRefund(order, refunded(id).data)!.record],
    ['with growth updates', decideGrowthPurchase(order, growthBought(id).data)!.record],
  ])('that is %s is read as it was written', async (_what, one) => {
    const kept = await keep(one);
    expect(await store.get(one.id)).toEqual(kept);
    expect({ ...kept, version: 0, updatedAt: '' }).toEqual({ ...one, version: 0, updatedAt: '' });
  });
});

test('is found by characters that are special to PostgreSQL', async () => {
  const names = [`O'Neill`, `back\\slash`, `a:b`, `x&y|z`, `!no`, `(curved)`, `star*`, `<->`, `"said"`];
  for (const name of names) {
    const { id } = await keep(paid({ customer: { name, email: 'signs@mail.test' } }));
    const found = await store.page({ filter: { q: `${name} signs@` }, sort: 'newest', limit: 10 });
    expect({ name, found: found.map((one) => one.id) }).toEqual({ name, found: [id] });
  }
});

test('counters are the sums of all orders after concurrent changes', async () => {
  const fates = Array.from({ length: 40 }, (_, n) => paid({ trees: 1 + (n % 3), paidAt: minute(n * 600) }));
  await Promise.all(
    fates.map(async ({ id, ...order }, n) => {
      await keep({ id, ...order });
      const change = (decide: (current: Order) => ReturnType<typeof decideStep>) =>
        store.change(id, (current) => decide(current!));
      if (n % 2) await change((current) => decideStep(current, assigned(id)));
      if (n % 4 === 3) await change((current) => decidePhoto(current, photo(id).data));
      if (n % 5 === 0) await change((current) => decideRefund(current, refunded(id).data));
      if (n % 3 === 0) await change((current) => decideGrowthPurchase(current, growthBought(id).data));
      if (n % 7 === 0)
        await change((current) =>
          decideEdit(current, { trees: 9, currency: 'USD', amount: 4500 }, { by: LUCIA, at: minute(1) }),
        );
    }),
  );
  await expectCountersToBeSums();
  const trees = await store.paidTrees();
  expect(trees.photographed).toBeGreaterThan(0);

  await sql.query(
    'update order_totals set trees = trees + 1; delete from order_days; delete from package_days',
  );
  await expect(expectCountersToBeSums()).rejects.toThrow();
  await sql.query(await readFile(new URL('../operator/recount.sql', import.meta.url), 'utf8'));
  await expectCountersToBeSums();
  expect(await store.paidTrees()).toEqual(trees);
});

async function expectCountersToBeSums(): Promise<void> {
  const rowsOf = async (text: string) => (await sql.query(text)).rows;
  const totals = 'sum(trees)::int as trees';
  const days = `${totals}, sum(amount_minor)::float8 as amount, sum(refunded_minor)::float8 as refunded`;
  for (const [counter, by, sums] of [
    ['order_totals', 'standing, status', totals],
    ['order_days', 'day, currency, standing', days],
  ]) {
    const kept = await rowsOf(
      `select ${by}, sum(orders)::int as orders, ${sums} from ${counter} group by ${by} having sum(orders) <> 0 order by ${by}`,
    );
    const real = await rowsOf(
      `select ${by}, count(*)::int as orders, ${sums} from orders group by ${by} order by ${by}`,
    );
    expect(kept).toEqual(real);
  }
  const money = 'sum(amount_minor)::float8 as amount, sum(refunded_minor)::float8 as refunded';
  expect(
    await rowsOf(
      `select day, currency, sum(packages)::int as packages, ${money} from package_days group by 1, 2 order by 1, 2`,
    ),
  ).toEqual(
    await rowsOf(
      `select purchase ->> 'day' as day, purchase ->> 'currency' as currency, count(*)::int as packages,
         sum((purchase -> 'amountMinor')::float8) as amount, sum((purchase -> 'refundedMinor')::float8) as refunded
       from orders, jsonb_array_elements(growth) as purchase group by 1, 2 order by 1, 2`,
    ),
  );
}

describe('among 30,000 orders', () => {
  const MANY = 30_000;
  const numberOf = ({ id }: Order) => parseInt(id, 16);
  /** Fields that differ between the copies. One in twenty is Tomasa's; the first and oldest is Zoë's. */
  const OWN: Record<string, string> = {
    token: `'token-' || n`,
    status: `case when n % 50 = 0 then 'assigned' else 'completed' end`,
    created_at: `timestamptz '2030-01-01' + n * interval '1 hour'`,
    updated_at: `timestamptz '2030-01-01' + n * interval '1 hour'`,
    ...Object.fromEntries(
      ['assigned_at', 'planted_at', 'completed_at'].map((at) => [
        at,
        `timestamptz '2030-01-02' + n * interval '1 hour'`,
      ]),
    ),
    email_key: `'customer.' || n % 10000 || '@many.test'`,
    name_key: `case when n % 20 = 0 then 'tomasa' else 'ana' end`,
    words: `array_to_tsvector(array[case when n = 1 then 'zoe' when n % 20 = 0 then 'tomasa' else 'ana' end])`,
    trees: `1 + n % 20`,
    worker_id: `case when n % 600 > 0 then 'worker-' || n % 600 end`,
    worker_key: `case when n % 600 > 0 then 'worker ' || n % 600 else '' end`,
    region_key: `'region ' || n % 300`,
    payment_kind: `case when n % 500 = 0 then 'transfer' else 'card' end`,
    bank: `case when n % 500 = 0 then 'bancolombia' end`,
    refunded_minor: `case when n % 300 = 0 then 1 else 0 end`,
    is_flagged: `n % 400 = 0`,
    amount_minor: 'n',
  };
  const plans: string[] = [];
  let many: OrderStore;

  beforeAll(async () => {
    const own = paid();
    const { id } = await keep(decideStep(own, assigned(own.id))!.record);
    const copied = columns.map((column) => OWN[column] ?? `o.${column}`);
    await sql.query(
      `insert into orders (id, version, ${columns.join(', ')})
       select lpad(to_hex(n), 24, '0'), 1, ${copied.join(', ')} from orders o, generate_series(1, ${MANY}) n where o.id = $1`,
      [id],
    );
    await sql.query('analyze');
    const explained: Sql['query'] = async (text, values) => {
      const { rows } = await sql.query(`explain (format json) ${text}`, values);
      plans.push(JSON.stringify(rows));
      return sql.query(text, values);
    };
    many = openOrderStore({ ...sql, query: explained });
  });

  test('common words find the newest of many, and rare ones an old order', async () => {
    const page = (q: string, sort: Sort = 'newest', after?: Position) =>
      many.page({ filter: { q }, sort, after, limit: 3 });
    expect((await page('tomasa')).map(numberOf)).toEqual([MANY, MANY - 20, MANY - 40]);
    const after = positionOf((await page('tomasa'))[2]!, 'newest');
    expect((await page('tomasa', 'newest', after)).map(numberOf)).toEqual([MANY - 60, MANY - 80, MANY - 100]);
    expect((await page('tomasa', 'oldest')).map(numberOf)).toEqual([20, 40, 60]);
    expect((await page('tomasa', 'name')).map(numberOf)).toEqual([20, 40, 60]);
    expect((await page('zo')).map(numberOf)).toEqual([1]);
    expect(await page('zo tomasa')).toEqual([]);
  });

  test('common words are counted to a bound, and rare ones exactly', async () => {
    expect(await many.counts({ q: 'tomasa' })).toMatchObject({ counts: { all: 200 }, countsAtLeast: true });
    expect(await many.counts({ q: 'tomasa', from: '2030-01-01', to: '2030-01-05' })).toEqual({
      counts: { all: 6, pending: 0, assigned: 1, planted: 0, completed: 5 },
    });
    expect((await many.counts({ q: 'zoe' })).counts.all).toBe(1);
  });

  test('no query reads all of them', async () => {
    const [last] = await many.page({ filter: {}, sort: 'newest', limit: 1 });
    const emailKey = 'customer.7@many.test';
    plans.length = 0;
    for (const sort of ORDER_SORTS) {
      await many.page({ filter: {}, sort, limit: 26 });
      await many.page({ filter: {}, sort, after: positionOf(last!, sort), limit: 26 });
      await many.page({ filter: { q: 'tomasa' }, sort, limit: 26 });
      await many.page({ filter: { q: 'zoe' }, sort, limit: 26 });
    }
    await many.page({ filter: { status: 'assigned' }, sort: 'newest', limit: 26 });
    await many.page({ filter: { from: '2031-01-01', to: '2031-01-02' }, sort: 'newest', limit: 26 });
    const narrow: Filter[] = [
      { worker: 'worker-7' },
      { worker: 'none' },
      { region: 'region 7' },
      { method: 'transfer' },
      { refunded: 'true' },
      { flagged: 'true' },
      { ids: last!.id },
      { worker: 'worker-7', status: 'completed', from: '2031-01-01' },
    ];
    for (const filter of narrow) {
      await many.page({ filter, sort: 'newest', limit: 26 });
      await many.page({ filter, sort: 'newest', after: positionOf(last!, 'newest'), limit: 26 });
      await many.counts(filter);
    }
    await many.counts({});
    await many.counts({ q: 'tomasa' });
    await many.counts({ q: 'zoe' });
    await many.counts({ from: '2031-01-01', to: '2031-01-02' });
    await many.byToken('token-9');
    await many.ofCustomer(emailKey, { limit: 26 });
    await many.customerTotals(emailKey);
    await many.changedSince('2033-05-01T00:00:00.000Z', undefined, 500);
    await many.changedSince('2030-01-01T00:00:00.000Z', ['2032-01-01T00:00:00.000Z', last!.id], 500);
    await many.paidTrees();
    await many.soldSince('2026-11-01');
    await many.waiting('paid');
    await many.notPlanted(['2031-01-01T00:00:00.000Z']);
    const readsAll = plans.filter((plan) => /"Node Type":"Seq Scan"[^}]*"Relation Name":"orders"/.test(plan));
    expect(readsAll).toEqual([]);
    expect(plans.length).toBeGreaterThan(30);
  });
});
