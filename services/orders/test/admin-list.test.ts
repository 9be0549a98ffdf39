import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import type { ORDER_SORTS } from '@arboleda/contracts/endpoints/orders/listing.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decidePayment } from '../order/creation.ts';
import { decideStep } from '../order/step.ts';
import { everyOrder } from '../list/list-query.ts';
import { openOrderStore } from '../store.ts';
import { MIGRATIONS } from '../order/store.ts';
import type { OrderStore } from '../store.ts';
import { ANA, assigned, minute, newOrderId, payment, photo, planted } from './builders.ts';
import { type AdminClient, openAdminClient, wrongField } from './admin-client.ts';
import { openOrders, type OrdersFixture, TEMPLATE } from './fixture.ts';
import { approved, hidden, refunded, rejected, submitted } from './event-builders.ts';

describe('admin list', () => {
  const day = (date: string) => `2026-11-${date}T12:00:00.000Z`;

  const ana = payment({
    paidAt: day('01'),
    trees: 20,
    packageType: 'patch',
    amountMinor: 7000,
    currency: 'USD',
    customer: { name: 'Ána Zúñiga', email: 'ana@flores.test' },
    transactionId: 'pi_ana',
  }).data;

  const beto = payment({
    paidAt: day('02'),
    trees: 1,
    packageType: 'individual',
    amountMinor: 500,
    currency: 'USD',
    customer: { name: 'beto Álvarez', email: 'beto@mail.test' },
    transactionId: 'pi_beto',
  }).data;

  /** The evening of the 3rd in Colombia is the 4th in UTC. */
  const evening = '2026-11-04T02:00:00.000Z';

  const caro = payment({
    paidAt: evening,
    trees: 5,
    amountMinor: 8_000_000,
    currency: 'COP',
    customer: { name: 'Caro Zea', email: 'caro@flores.test' },
    transactionId: 'pi_caro',
  }).data;

  /** A transfer: submitted before all other orders, approved after them. */
  const diana = newOrderId();

  const [waiting, refused] = [newOrderId(), newOrderId()];

  let orders: OrdersFixture;

  let adminClient: AdminClient;

  beforeAll(async () => {
    orders = await openOrders();
    adminClient = openAdminClient(orders);
    for (const data of [ana, beto, caro]) {
      await orders.publish({ type: 'payment.succeeded', data });
      await orders.order(data.orderId);
    }
    const customer = { name: 'Diana Ruiz', email: 'diana@mail.test' };
    const announced = { customer, trees: 10, packageType: 'custom', amountMinor: 9_000_000 } as const;
    await orders.publish(
      submitted(diana, { ...announced, submittedAt: day('04') }),
      approved(diana, { ...announced, paidAt: day('05') }),
      submitted(waiting),
      submitted(refused),
      rejected(refused),
      assigned(beto.orderId, { at: minute(1) }),
    );
    await orders.order(diana, (order) => order.manualPayment?.verificationStatus === 'approved');
    await orders.order(refused, (order) => order.manualPayment?.verificationStatus === 'rejected');
    await orders.order(waiting);
    await orders.order(beto.orderId, (order) => order.status === 'assigned');
  });

  afterAll(() => orders.close());

  const NAMES = new Map([
    [ana.orderId, 'ana'],
    [beto.orderId, 'beto'],
    [caro.orderId, 'caro'],
    [diana, 'diana'],
  ]);

  const namesOf = (body: { orders: { _id: string }[] }) =>
    body.orders.map(({ _id }) => NAMES.get(_id) ?? _id);

  const found = async (query: Record<string, string>) => namesOf((await adminClient.list(query)).body);

  describe('the list', () => {
    test('has paid orders only, and counts no others', async () => {
      const { body } = await adminClient.list();
      expect(namesOf(body)).toEqual(['diana', 'caro', 'beto', 'ana']);
      expect(body.counts).toEqual({ all: 4, pending: 3, assigned: 1, planted: 0, completed: 0 });
    });

    const withoutWorker = [ana.orderId, caro.orderId, diana].sort().map((id) => NAMES.get(id)!);
    const SORTED: Record<Exclude<(typeof ORDER_SORTS)[number], 'changed'>, string[]> = {
      newest: ['diana', 'caro', 'beto', 'ana'],
      oldest: ['ana', 'beto', 'caro', 'diana'],
      trees: ['ana', 'diana', 'caro', 'beto'],
      amount: ['ana', 'beto', 'diana', 'caro'],
      name: ['ana', 'beto', 'caro', 'diana'],
      worker: [...withoutWorker, 'beto'],
      region: ['ana', 'caro', 'diana', 'beto'],
    };
    test.each(Object.entries(SORTED))('by %s is in order, on pages of any size', async (sort, expected) => {
      for (const limit of [1, 3, 4]) {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const { status, body } = await adminClient.list({ sort, limit, ...(cursor && { cursor }) });
          expect(status).toBe(200);
          seen.push(...namesOf(body));
          cursor = body.nextCursor;
        } while (cursor && seen.length <= expected.length);
        expect({ limit, seen }).toEqual({ limit, seen: expected });
      }
    });

    test('sorted by last change begins with the newest change', async () => {
      await adminClient.edit(caro.orderId, { notes: 'Changed last' });
      expect((await found({ sort: 'changed', limit: '1' }))[0]).toBe('caro');
    });

    test('continues by its cursor, but not in another sort order', async () => {
      const { body } = await adminClient.list({ sort: 'trees', limit: 2 });
      expect(await found({ limit: '2', cursor: body.nextCursor })).toEqual(['caro', 'beto']);
      const refused = await adminClient.list({ sort: 'name', cursor: body.nextCursor });
      expect(wrongField(refused)).toEqual({
        status: 422,
        type: 'validation-failed',
        errors: ['cursor: invalid'],
      });
    });

    test('shows refunds, and that nobody plants the order', async () => {
      const gone = payment({ customer: { name: 'Gone', email: 'gone@away.test' } });
      await orders.publish(gone, refunded(gone.data.orderId));
      await orders.order(gone.data.orderId, (order) => order.withdrawn === true);
      const [row] = (await adminClient.list({ q: 'gone@away.test' })).body.orders;
      expect(row).toMatchObject({ status: 'pending', withdrawn: true, refundedAmount: 8_230_000 });
    });
  });

  describe('search and filters', () => {
    test.each([
      ['the short id', { q: `#${ana.orderId.slice(-6).toUpperCase()}` }, ['ana']],
      ['the whole id', { q: ana.orderId }, ['ana']],
      ['the address', { q: 'Ana@Flores.test' }, ['ana']],
      ['the domain', { q: 'flores' }, ['caro', 'ana']],
      ['a name without its accents', { q: 'ana zuniga' }, ['ana']],
      ['a name with accents it does not have', { q: 'ZÉA' }, ['caro']],
      ['the beginnings of two words', { q: 'alv bet' }, ['beto']],
      ['the reference of a transfer', { q: 'arb-7f3a' }, ['diana']],
      ['the reference without its hyphen', { q: 'arb7f3a' }, ['diana']],
      ['the transaction', { q: 'pi_caro' }, ['caro']],
      ['the middle of a word', { q: 'lores' }, []],
      ['signs alone', { q: ' , ' }, ['diana', 'caro', 'beto', 'ana']],
      ['words of a query language', { q: `{"$ne": null} ' or 1=1 --` }, []],
      ['a first day', { from: '2026-11-03' }, ['diana', 'caro']],
      ['a last day, the whole of it', { to: '2026-11-02' }, ['beto', 'ana']],
      ['a day by the organisation’s clock', { from: '2026-11-03', to: '2026-11-03' }, ['caro']],
      ['instants', { from: '2026-11-02T12:00:00Z', to: '2026-11-04T11:00:00Z' }, ['caro', 'beto']],
      ['a range that holds nothing', { from: '2026-11-05', to: '2026-11-01' }, []],
      ['the end of all years', { from: '2026-11-04', to: '9999-12-31' }, ['diana']],
      ['several at once', { q: 'test', status: 'pending', to: '2026-11-03' }, []],
      ['status, words and days', { q: 'flores.test', status: 'pending', to: '2026-11-02' }, ['ana']],
    ])('find by %s', async (_what, query, expected) => {
      const names = await found(query);
      expect(names.filter((name) => name.length < 10)).toEqual(expected);
    });

    test('keep the counts of every status', async () => {
      const { body } = await adminClient.list({ q: 'mail.test', status: 'assigned', to: '2026-11-30' });
      expect(namesOf(body)).toEqual(['beto']);
      expect(body.counts).toEqual({ all: 2, pending: 1, assigned: 1, planted: 0, completed: 0 });
    });

    test('find an order by its current data only', async () => {
      const id = await adminClient.paidOrder({ customer: { name: 'Eva Wrong', email: 'eva@wrong.test' } });
      await adminClient.edit(id, { customerName: 'Eva Right', customerEmail: 'eva@right.test' });
      expect(await found({ q: 'wrong' })).toEqual([]);
      expect(await found({ q: 'eva right' })).toEqual([id]);
    });

    test.each([
      ['q', { q: 'x'.repeat(101) }, 'q: too-long'],
      ['q', { q: 'a\u0000b' }, 'q: invalid'],
      ['from', { from: 'yesterday' }, 'from: invalid'],
      ['to', { to: '2026-02-30' }, 'to: invalid'],
      ['sort', { sort: 'tallest' }, 'sort: unknown-value'],
      ['cursor', { cursor: 'x'.repeat(401) }, 'cursor: too-long'],
    ])('refuse a wrong %s by name', async (_what, query, error) => {
      expect(wrongField(await adminClient.list(query))).toEqual({
        status: 422,
        type: 'validation-failed',
        errors: [error],
      });
    });
  });

  describe('narrowing filters', () => {
    const at = (n: number) => `2026-12-0${n}T12:00:00.000Z`;
    const buyer = (name: string) => ({ name, email: `${name}@narrow.test` });
    const flor = payment({ paidAt: at(1), region: 'Huila', customer: buyer('flor') }).data;
    const gil = payment({ paidAt: at(2), customer: buyer('gil') }).data;
    const hugo = payment({ paidAt: at(3), customer: buyer('hugo') }).data;
    const ines = newOrderId();
    const names = new Map([
      [flor.orderId, 'flor'],
      [gil.orderId, 'gil'],
      [hugo.orderId, 'hugo'],
      [ines, 'ines'],
    ]);

    beforeAll(async () => {
      for (const data of [flor, gil, hugo]) await orders.publish({ type: 'payment.succeeded', data });
      const sent = { customer: buyer('ines'), trees: 10, packageType: 'custom', amountMinor: 9_000 } as const;
      await orders.publish(
        submitted(ines, { ...sent, submittedAt: at(4) }),
        approved(ines, { ...sent, paidAt: at(5) }),
        assigned(gil.orderId, { at: at(6) }),
        assigned(hugo.orderId, { at: at(7) }),
        refunded(gil.orderId, { amountMinor: 1_000, refundedMinor: 1_000, isFull: false }),
        planted(hugo.orderId, { at: at(8) }),
        photo(hugo.orderId, { flags: ['far-from-place'] }),
      );
      await orders.order(ines, (order) => order.manualPayment?.verificationStatus === 'approved');
      await orders.order(gil.orderId, (order) => order.refunds.length === 1 && order.status === 'assigned');
      await orders.order(hugo.orderId, (order) => order.photos.length === 1);
    });

    const narrowed = async (query: Record<string, string>) =>
      (await adminClient.list({ q: 'narrow.test', ...query })).body.orders.map(
        ({ _id }: { _id: string }) => names.get(_id) ?? _id,
      );

    test.each([
      ['the worker', { worker: ANA.workerId }, ['hugo', 'gil']],
      ['no worker', { worker: 'none' }, ['ines', 'flor']],
      ['an unknown worker', { worker: 'nobody' }, []],
      ['the worker’s region, without its accent', { region: ' QUINDIO ' }, ['hugo', 'gil']],
      ['the region that the buyer chose', { region: 'Huila' }, ['flor']],
      ['cards', { method: 'card' }, ['hugo', 'gil', 'flor']],
      ['transfers', { method: 'transfer' }, ['ines']],
      ['refunds', { refunded: 'true' }, ['gil']],
      ['no refunds', { refunded: 'false' }, ['ines', 'hugo', 'flor']],
      ['flags', { flagged: 'true' }, ['hugo']],
      ['no flags', { flagged: 'false' }, ['ines', 'gil', 'flor']],
      ['the time of the assignment', { assignedFrom: at(6), assignedTo: at(6) }, ['gil']],
      ['chosen orders', { ids: `${ines},${flor.orderId}` }, ['ines', 'flor']],
      ['several at once', { worker: ANA.workerId, status: 'assigned', refunded: 'true' }, ['gil']],
    ])('find by %s', async (_what, query, expected) => {
      expect(await narrowed(query)).toEqual(expected);
    });

    test('a row shows its worker, its region and that it is flagged', async () => {
      const { orders: rows } = (await adminClient.list({ q: 'narrow.test' })).body;
      const row = (id: string) => rows.find(({ _id }: { _id: string }) => _id === id);
      expect(row(hugo.orderId)).toMatchObject({
        assignedWorker: { name: ANA.name },
        region: ANA.region,
        flagged: true,
      });
      expect(row(flor.orderId)).toMatchObject({ region: 'Huila' });
      expect(row(flor.orderId)).not.toHaveProperty('flagged');
    });

    test('a flagged photo is settled once an admin has decided on it', async () => {
      const id = await adminClient.paidOrder({ customer: { name: 'Julia', email: 'julia@flagged.test' } });
      const { photoId } = photo(id).data;
      await orders.publish(assigned(id), planted(id), photo(id, { flags: ['far-from-place'] }));
      await orders.order(id, ({ flagged }) => flagged === true);
      await orders.publish(hidden(id, { photoId, at: minute(90) }));
      await orders.order(id, ({ flagged }) => flagged === undefined);
    });

    test('count what they find, and page through it', async () => {
      const first = await adminClient.list({ worker: ANA.workerId, from: '2026-12-01', limit: 1 });
      expect(first.body.counts).toEqual({ all: 2, pending: 0, assigned: 1, planted: 1, completed: 0 });
      const second = await adminClient.list({
        worker: ANA.workerId,
        from: '2026-12-01',
        cursor: first.body.nextCursor,
      });
      const ids = [first, second].flatMap(({ body }) =>
        body.orders.map(({ _id }: { _id: string }) => names.get(_id)),
      );
      expect(ids).toEqual(['hugo', 'gil']);
    });

    test('narrow the export, too', async () => {
      const { body } = await orders.call('GET /api/admin/orders/export', {
        query: { ids: `${ines},${gil.orderId}`, sort: 'oldest' },
        token: orders.adminToken,
      });
      const lines = String(body).trimEnd().split('\r\n').slice(1);
      expect(lines.map((line) => names.get(line.split(',')[0]!))).toEqual(['gil', 'ines']);
    });

    test.each([
      ['worker', 'not an id', 'invalid'],
      ['region', 'x'.repeat(101), 'too-long'],
      ['method', 'cash', 'unknown-value'],
      ['refunded', 'maybe', 'unknown-value'],
      ['flagged', '1', 'unknown-value'],
      ['assignedFrom', 'today', 'invalid'],
      ['ids', 'all', 'invalid'],
      ['ids', Array.from({ length: 101 }, newOrderId).join(), 'invalid'],
    ])('refuse a wrong %s by name', async (field, value, error) => {
      expect(wrongField(await adminClient.list({ [field]: value }))).toEqual({
        status: 422,
        type: 'validation-failed',
        errors: [`${field}: ${error}`],
      });
    });
  });

  describe('GET /api/admin/orders/export', () => {
    const exported = async (query: Record<string, string>, language = 'en') => {
      const answer = await orders.call('GET /api/admin/orders/export', {
        query,
        token: orders.adminToken,
        headers: { 'Accept-Language': language },
      });
      return { ...answer, lines: String(answer.body).trimEnd().split('\r\n') };
    };

    test('is a file of the filtered orders, in their order', async () => {
      const { status, headers, lines } = await exported({ to: '2026-11-05', sort: 'trees' });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="?orders-\d{4}-\d\d-\d\d\.csv"?$/,
      );
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(lines[0]).toMatch(/^\uFEFFOrder,Short id,/);
      expect(lines.slice(1).map((line) => NAMES.get(line.split(',')[0]!))).toEqual([
        'ana',
        'diana',
        'caro',
        'beto',
      ]);
    });

    test('has headings in the reader’s language', async () => {
      const { lines, headers } = await exported({ q: 'ana' }, 'es');
      expect(lines[0]).toMatch(/^\uFEFFPedido;Código corto;/);
      expect(headers.get('content-disposition')).toContain('pedidos-');
    });

    test('has the number of each receipt, and the transaction beside it', async () => {
      const id = await adminClient.paidOrder({ customer: { name: 'Rita', email: 'rita@mail.test' } });
      const { transactionId, receiptNumber } = await orders.order(id);
      const { lines } = await exported({ q: 'rita@mail.test' });
      expect(lines[0]).toContain(',Transaction,Receipt number,');
      expect(lines[1]).toContain(`,${transactionId},${receiptNumber},`);
      expect((await exported({ q: 'rita@mail.test' }, 'es')).lines[0]).toContain(
        ';Transacción;Número de recibo;',
      );
    });

    test('contains no formulas, whatever the customers’ names', async () => {
      await adminClient.paidOrder({ customer: { name: '=HYPERLINK("x")', email: 'formula@mail.test' } });
      const { lines } = await exported({ q: 'formula@mail.test' });
      expect(lines[1]).toContain(`"'=HYPERLINK(""x"")"`);
    });

    test('refuses what the list refuses', async () => {
      expect(wrongField(await exported({ status: 'felled' }))).toMatchObject({
        errors: ['status: unknown-value'],
      });
      expect(wrongField(await exported({ sort: 'tallest' }))).toMatchObject({
        errors: ['sort: unknown-value'],
      });
    });
  });
});

describe('a search with many results', () => {
  const COUNTED_TO = 5;

  let platform: TestPlatform;

  let store: OrderStore;

  beforeAll(async () => {
    platform = await openTestPlatform({ template: TEMPLATE });
    store = openOrderStore(await platform.sql('orders', MIGRATIONS), () => new Date(), COUNTED_TO);
    const buy = async (name: string, isAssigned = false) => {
      const { data } = payment({ customer: { name, email: 'buyer@mail.test' } });
      const { record } = decidePayment(undefined, data)!;
      const order = isAssigned ? decideStep(record, assigned(data.orderId))!.record : record;
      await store.change(data.orderId, () => ({ record: order }));
    };
    for (let n = 0; n < COUNTED_TO; n++) await buy('María Ruiz');
    await buy('María Zea', true);
    await buy('Ana Ruiz');
  });

  afterAll(() => platform.close());

  test('reports a count above the bound as a lower bound', async () => {
    const { counts, countsAtLeast } = await store.counts({ q: 'maria', status: 'assigned' });
    expect(countsAtLeast).toBe(true);
    expect(counts.all).toBe(COUNTED_TO);
    expect(counts.pending).toBeGreaterThanOrEqual(COUNTED_TO);
    expect(counts.assigned).toBeLessThanOrEqual(1);
  });

  test('counts what a filter finds to the same bound', async () => {
    expect(await store.counts({ method: 'card' })).toMatchObject({
      counts: { all: COUNTED_TO },
      countsAtLeast: true,
    });
    expect(await store.counts({ worker: ANA.workerId })).toEqual({
      counts: { all: 1, pending: 0, assigned: 1, planted: 0, completed: 0 },
    });
  });

  test('reports a count up to the bound exactly', async () => {
    expect(await store.counts({ q: 'maria ruiz' })).toEqual({
      counts: { all: COUNTED_TO, pending: COUNTED_TO, assigned: 0, planted: 0, completed: 0 },
    });
  });

  test.each([{}, { q: ' , ' }, { from: '2020-01-01' }])(
    'all are counted exactly when no words are sought: %p',
    async (filter) => {
      expect(await store.counts(filter)).toEqual({
        counts: { all: COUNTED_TO + 2, pending: COUNTED_TO + 1, assigned: 1, planted: 0, completed: 0 },
      });
    },
  );

  test('has pages beyond the bound, with each order once', async () => {
    const seen: string[] = [];
    for await (const { id } of everyOrder(store, { filter: { q: 'maria' }, sort: 'newest' }, 2))
      seen.push(id);
    expect(seen).toHaveLength(COUNTED_TO + 1);
    expect(new Set(seen).size).toBe(COUNTED_TO + 1);
  });
});
