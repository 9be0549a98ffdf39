import { expect, test } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { decidePayment } from '../decisions/creation.ts';
import type { Order } from '../order.ts';
import { payment } from '../test/builders.ts';
import { toCsv } from './csv.ts';
import { everyOrder } from './pages.ts';

const id = '65f0c0ffee0123456789abcd';
const order = decidePayment(undefined, payment({ orderId: id }).data)!.document;

/** As it is sent: the byte order mark is part of it. */
const text = async (csv: Readable): Promise<string> => (await buffer(csv)).toString();

async function* of(...orders: Order[]) {
  yield* orders;
}
/** Head and line of one order, by column. */
async function cells(one: Order, language: 'en' | 'es' = 'en') {
  const [head, line] = (await text(toCsv(of(one), language))).split('\r\n');
  return { head: head!, line: line! };
}

test('an order is a line under heads in the reader’s language', async () => {
  const { head, line } = await cells(order);
  expect(head).toMatch(/^\uFEFFOrder,Short id,Status,Ordered,Customer,Email/);
  expect(line).toMatch(/^65f0c0ffee0123456789abcd,89ABCD,pending,2026-11-21T15:00:00.000Z,María José Pérez,/);
  expect(line).toContain(',5,grove,82300,COP,0,stripe,pi_1,');
  expect((await cells(order, 'es')).head).toMatch(/^\uFEFFPedido,Código corto,Estado/);
});

test('no orders are a head alone', async () => {
  expect((await text(toCsv(of(), 'en'))).trimEnd().split('\r\n')).toHaveLength(1);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1'])(
  '%p does nothing in a spreadsheet',
  async (name) => {
    const { line } = await cells({ ...order, customer: { ...order.customer, name } });
    expect(line).toContain(`,'${name},`);
  },
);

test('a place is a number, also west of Greenwich', async () => {
  const { line } = await cells({ ...order, coordinates: { latitude: 4.637, longitude: -75.57 } });
  expect(line).toContain(',4.637,-75.57,');
});

test('what divides lines and cells is quoted', async () => {
  const out = await text(toCsv(of({ ...order, notes: 'one, "two"\nthree' }), 'en'));
  expect(out).toContain('"one, ""two""\nthree"\r\n');
});

test('a reader hears that not all could be read', async () => {
  async function* broken() {
    yield order;
    throw new Error('database is away');
  }
  await expect(text(toCsv(broken(), 'en'))).rejects.toThrow('database is away');
});

test('all pages are read one after the other, and each order once', async () => {
  const all = [3, 2, 1].map((n): Order => ({ ...order, _id: id.slice(1) + n, trees: n }));
  const asked: unknown[] = [];
  const page = async ({ after, limit }: { after?: readonly unknown[] | undefined; limit: number }) => {
    asked.push(after);
    const begin = after ? all.findIndex(({ _id }) => _id === after.at(-1)) + 1 : 0;
    return all.slice(begin, begin + limit);
  };
  const seen: number[] = [];
  for await (const one of everyOrder({ page }, { filter: {}, sort: 'trees' }, 2)) seen.push(one.trees);
  expect(seen).toEqual([3, 2, 1]);
  expect(asked).toEqual([undefined, [2, id.slice(1) + 2]]);
});
