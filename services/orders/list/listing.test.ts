import { ORDER_SORTS } from '@arboleda/contracts/endpoints/orders/listing.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { toCsv } from './csv.ts';
import { decidePayment } from '../order/creation.ts';
import { decideEdit } from '../order/edit.ts';
import { decidePhoto } from '../order/photos.ts';
import { decideStep } from '../order/step.ts';
import { everyOrder } from './list-query.ts';
import { countsOf, type Cursor, decodeCursor, encodeCursor, positionOf, rangeOf } from './listing.ts';
import type { Order } from '../order/order.ts';
import { wordsOf, wordsSought } from '../order/search.ts';
import { stamped } from '../reactions.ts';
import { assigned, minute, newOrderId, payment, photo, planted } from '../test/builders.ts';
import { approved, LUCIA } from '../test/event-builders.ts';

const id = '65f0c0ffee0123456789abcd';

test('every status has its count, and the total is their sum', () => {
  const counts = { all: 6, pending: 1, assigned: 0, planted: 5, completed: 0 };
  expect(countsOf({ pending: 1, planted: 5 })).toEqual({ counts });
  expect(countsOf({ pending: 1, planted: 5 }, 6)).toEqual({ counts });
});

test('counts above the bound are reported as lower bounds', () => {
  expect(countsOf({ pending: 1, planted: 5 }, 5)).toEqual({
    counts: { all: 5, pending: 1, assigned: 0, planted: 5, completed: 0 },
    countsAtLeast: true,
  });
});

describe('csv', () => {
  const order = decidePayment(undefined, payment({ orderId: id }).data)!.record;

  /** The bytes as sent, with the byte order mark. */
  const text = async (csv: Readable): Promise<string> => (await buffer(csv)).toString();

  async function* of(...orders: Order[]) {
    yield* orders;
  }

  async function cells(one: Order, language: 'en' | 'es' = 'en') {
    const [head, line] = (await text(toCsv(of(one), language))).split('\r\n');
    return { head: head!, line: line! };
  }

  test('an order is a row under headings in the reader’s language', async () => {
    const { head, line } = await cells(order);
    expect(head).toMatch(/^\uFEFFOrder,Short id,Status,Ordered \(America\/Bogota\),Customer,Email/);
    expect(line).toMatch(/^65f0c0ffee0123456789abcd,89ABCD,pending,2026-11-21 10:00:00,María José Pérez,/);
    expect(line).toContain(',5,grove,82300,COP,0,0,card,,pi_1,');
    const back = { ...order, refundedMinor: 1_000_000, lostMinor: 2_000_000 };
    expect((await cells(back)).line).toContain(',COP,10000,20000,card,');
    expect((await cells(order, 'es')).head).toMatch(
      /^\uFEFFPedido;Código corto;Estado;Pedido el \(America\/Bogota\)/,
    );
  });

  test('no orders give headings only', async () => {
    expect((await text(toCsv(of(), 'en'))).trimEnd().split('\r\n')).toHaveLength(1);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1'])(
    '%p does nothing in a spreadsheet',
    async (name) => {
      const { line } = await cells({ ...order, customer: { ...order.customer, name } });
      expect(line).toContain(`,'${name},`);
    },
  );

  test('a coordinate is a number, also west of Greenwich', async () => {
    const { line } = await cells({ ...order, coordinates: { latitude: 4.637, longitude: -75.57 } });
    expect(line).toContain(',4.637,-75.57,');
  });

  test('Spanish files use Spanish separators', async () => {
    const { line } = await cells(
      { ...order, amountMinor: 2050, currency: 'USD', coordinates: { latitude: 4.637, longitude: -75.57 } },
      'es',
    );
    expect(line).toContain(';20,5;USD;0;');
    expect(line).toContain(';4,637;-75,57;');
  });

  test.each([
    ['+573001234567', '+573001234567'],
    ['+57 300-123-4567', '+57 300 123 4567'],
    ['+57 (300) 123‑4567', '+57 300 123 4567'],
    ['300 123', '300 123'],
    ['+57*2', "'+57*2"],
    ['=1+1', "'=1+1"],
  ])('writes the phone %j as %j', async (given, written) => {
    const { line } = await cells({ ...order, customer: { ...order.customer, phone: given } });
    expect(line).toContain(`,${written},`);
  });

  test('separators and line breaks are quoted', async () => {
    const out = await text(toCsv(of({ ...order, notes: 'one, "two"\nthree' }), 'en'));
    expect(out).toContain('"one, ""two""\nthree"\r\n');
  });

  test('a failed read fails the download', async () => {
    async function* broken() {
      yield order;
      throw new Error('database is away');
    }
    await expect(text(toCsv(broken(), 'en'))).rejects.toThrow('database is away');
  });

  test('all pages are read in turn, and each order once', async () => {
    const all = [3, 2, 1].map((n): Order => ({ ...order, id: id.slice(1) + n, trees: n }));
    const asked: unknown[] = [];
    const page = async ({ after, limit }: { after?: readonly unknown[] | undefined; limit: number }) => {
      asked.push(after);
      const begin = after ? all.findIndex(({ id }) => id === after.at(-1)) + 1 : 0;
      return all.slice(begin, begin + limit);
    };
    const seen: number[] = [];
    for await (const one of everyOrder({ page }, { filter: {}, sort: 'trees' }, 2)) seen.push(one.trees);
    expect(seen).toEqual([3, 2, 1]);
    expect(asked).toEqual([undefined, [2, id.slice(1) + 2]]);
  });
});

describe('cursor', () => {
  const order = decidePayment(undefined, payment({ customer: { name: 'Ñandú '.repeat(19) } }).data)!.record;

  const newest: Cursor = {
    sort: 'newest',
    position: ['2026-11-21T15:00:00.000Z', '65f0c0ffee0123456789abcd'],
  };

  test.each(ORDER_SORTS)('a cursor of the list by %s continues where the page ended', (sort) => {
    const cursor = { sort, position: positionOf(order, sort) };
    expect(encodeCursor(cursor)).toMatch(/^[\w-]{1,400}$/);
    expect(decodeCursor(encodeCursor(cursor), undefined)).toEqual(cursor);
    expect(decodeCursor(encodeCursor(cursor), sort)).toEqual(cursor);
  });

  const sealed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  const [at, id] = newest.position;

  test.each([
    ['empty', ''],
    ['random', 'nonsense'],
    ['cut off', encodeCursor(newest).slice(0, -3)],
    ['of other content', sealed({ a: 1 })],
    ['of an unknown order', sealed(['tallest', [1, id]])],
    ['of one part', sealed(['newest', [at]])],
    ['of a wrong id', sealed(['newest', [at, "x' or 1=1"]])],
    ['of a wrong instant', sealed(['newest', ['yesterday', id]])],
    ['of an instant before all orders', sealed(['newest', ['0000-01-01T00:00:00Z', id]])],
    ['of a number too large', sealed(['trees', [1e300, id]])],
    ['of letters that cannot be stored', sealed(['name', ['\u0000', id]])],
    ['of half a letter', sealed(['name', ['\ud800', id]])],
  ])('a cursor that is %s is refused by name', (_what, cursor) => {
    expect(refusalOf(() => decodeCursor(cursor, undefined))).toMatchObject({
      type: 'validation-failed',
      fields: [{ path: 'cursor', type: 'invalid' }],
    });
  });

  test('a cursor of another sort order is refused', () => {
    const refused = refusalOf(() => decodeCursor(encodeCursor(newest), 'oldest'));
    expect(refused).toMatchObject({ type: 'validation-failed', fields: [{ path: 'cursor' }] });
  });

  function refusalOf(decide: () => unknown): Problem {
    try {
      decide();
    } catch (error) {
      expect(error).toBeInstanceOf(Problem);
      return error as Problem;
    }
    throw new Error('nothing was refused');
  }
});

test.each([
  [{}, {}],
  [{ from: '2026-11-21' }, { from: '2026-11-21T05:00:00.000Z' }],
  [{ to: '2026-11-21' }, { before: '2026-11-22T05:00:00.000Z' }],
  [{ to: '2026-12-31' }, { before: '2027-01-01T05:00:00.000Z' }],
  [
    { from: '2026-11-21T05:00:00Z', to: '2026-11-22T04:59:59Z' },
    { from: '2026-11-21T05:00:00.000Z', to: '2026-11-22T04:59:59.000Z' },
  ],
])('the filter %p becomes a range of instants', (filter, range) => {
  expect(rangeOf(filter)).toEqual(range);
});

test('far future and year 0 are valid bounds', () => {
  expect(rangeOf({ to: '9999-12-31' })).toEqual({});
  expect(rangeOf({ from: '0000-01-01', to: '0000-12-31' })).toEqual({
    from: '1970-01-01T00:00:00.000Z',
    before: '1970-01-01T00:00:00.000Z',
  });
});

describe('words', () => {
  const order = decidePayment(undefined, payment({ orderId: id, transactionId: 'pi_3QxYz' }).data)!.record;

  const isFound = (text: string, among: Order = order) =>
    wordsSought(text).every((sought) => wordsOf(among).some((word) => word.startsWith(sought)));

  describe('an order', () => {
    test.each([
      ['its short id', '89ABCD'],
      ['its short id as people write it', '#89abcd'],
      ['the beginning of its id', '65f0c0'],
      ['its whole id', id],
      ['the name without accents', 'maria jose'],
      ['the name with accents and capitals', 'MARÍA PÉREZ'],
      ['beginnings of the name in any order', 'per mar'],
      ['an initial', 'm'],
      ['the whole address', 'maria@mail.test'],
      ['the domain of the address', 'mail.test'],
      ['name and address together', 'pérez maria@ma'],
      ['the transaction', 'pi_3qxyz'],
    ])('is found by %s', (_what, text) => {
      expect(isFound(text)).toBe(true);
    });

    test.each([
      ['another name beside the right one', 'maría gómez'],
      ['the middle of a word', 'aría'],
      ['more than the word', 'mariana'],
    ])('is not found by %s', (_what, text) => {
      expect(isFound(text)).toBe(false);
    });

    test('of a transfer is found by its reference', () => {
      const transfer = decidePayment(undefined, approved(id).data)!.record;
      expect(isFound('arb-7f', transfer)).toBe(true);
    });

    test('is found by the parts of a compound name', () => {
      const customer = { ...order.customer, name: 'Ana O’Brien García-Márquez' };
      for (const text of ['brien', 'marquez', 'garcia-m', 'o’b'])
        expect(isFound(text, { ...order, customer })).toBe(true);
    });

    test('is found whatever accents and apostrophes are typed', () => {
      const customer = { ...order.customer, name: 'Đặng D’Angelo Østergård' };
      for (const text of ['dang', 'ĐẶNG', "d'angelo", 'd’angelo', 'dangelo', 'ostergard'])
        expect(isFound(text, { ...order, customer })).toBe(true);
    });

    test('has a bounded number of words, however long the name', () => {
      const customer = {
        name: 'x '.repeat(60),
        email: `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.test`,
      };
      const long = { ...order, customer, transactionId: 't'.repeat(500) };
      const words = wordsOf(long);
      expect(words.length).toBeLessThan(20);
      expect(Math.max(...words.map((word) => word.length))).toBeLessThan(300);
      expect(isFound(customer.email, long)).toBe(true);
    });
  });

  test('signs and spaces alone search for nothing', () => {
    expect(wordsSought('  , # ;; ')).toEqual([]);
  });

  test('searches for words without accents, up to PostgreSQL’s maximum length', () => {
    expect(wordsSought('María #7F3A')).toEqual(['maria', '7f3a']);
    const [word] = wordsSought('\ufdfa'.repeat(100));
    expect(Buffer.byteLength(word!)).toBeLessThan(2046);
  });
});

test('the version increases with editable fields only, whoever changes them', () => {
  const orderId = newOrderId();
  const order = decidePayment(undefined, payment({ orderId }).data)!.record;
  const at = minute(1000);
  expect(stamped(undefined, order, at)).toEqual({ ...order, version: 1, updatedAt: at });
  const inHand = decideStep(order, assigned(orderId))!.record;
  expect(stamped(order, inHand, at).version).toBe(1);
  expect(stamped(inHand, decidePhoto(inHand, photo(orderId).data)!.record, at).version).toBe(1);
  expect(stamped(inHand, decideStep(inHand, planted(orderId))!.record, at).version).toBe(2);
  const edited = decideEdit(order, { trees: 6 }, { by: LUCIA, at })!.record;
  expect(stamped(order, edited, at).version).toBe(2);
});
