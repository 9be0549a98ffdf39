import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { MAX_AMOUNT_MINOR } from '@arboleda/contracts/money.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { assigned, minute, newOrderId, planted } from './builders.ts';
import { type AdminClient, openAdminClient, wrongField } from './admin-client.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';
import { submitted } from './event-builders.ts';

let orders: OrdersFixture;

let adminClient: AdminClient;

beforeAll(async () => {
  orders = await openOrders();
  adminClient = openAdminClient(orders);
});

afterAll(() => orders.close());

describe('admin edits', () => {
  const saidOf = (orderId: string) =>
    orders.probe.all('order.updated').filter((event) => event.key === orderId);

  describe('PUT /api/admin/orders/{id}', () => {
    const coordinates = { latitude: 4.637, longitude: -75.57 };
    const all = {
      trees: 7,
      amount: 3500,
      currency: 'USD',
      customerEmail: 'Maria@New.test',
      customerName: 'María Pérez',
      location: 'Finca La Esperanza',
      coordinates,
      notes: 'Call first',
    };

    test('edits every field of the form, and publishes the changes', async () => {
      const id = await adminClient.paidOrder();
      const { status, body, headers } = await adminClient.edit(id, all);
      expect(status).toBe(200);
      expect(body.order).toMatchObject({ ...all, customerEmail: 'maria@new.test', version: 2, revision: 0 });
      expect(headers.get('ETag')).toBe('"2"');
      expect((await adminClient.read(id)).body).toEqual(body);
      const { data } = await orders.probe.next('order.updated', ({ key }) => key === id);
      expect(data).toMatchObject({
        trees: 7,
        amountMinor: 3500,
        currency: 'USD',
        notes: 'Call first',
        by: { role: 'admin' },
        customer: { name: 'María Pérez', email: 'maria@new.test', phone: '+57 300 1234567' },
      });
      expect(body.order.timeline.at(-1).changes).toContainEqual({ field: 'trees', from: 5, to: 7 });
    });

    test('leaves absent fields, and publishes nothing when nothing changes', async () => {
      const id = await adminClient.paidOrder();
      const before = (await adminClient.read(id)).body;
      expect((await adminClient.edit(id, {})).body).toEqual(before);
      expect((await adminClient.edit(id, { trees: 5 })).body).toEqual(before);
      expect((await adminClient.edit(id, { notes: 'Steep', unknown: 1 })).body.order).toMatchObject({
        trees: 5,
        notes: 'Steep',
      });
      expect((await adminClient.edit(id, { notes: '' })).body.order).not.toHaveProperty('notes');
      await waitFor(() => saidOf(id).length === 2);
    });

    test('moves an order to the portal of its new address', async () => {
      const id = await adminClient.paidOrder({ customer: { email: 'typo@mail.test' } });
      await adminClient.edit(id, { customerEmail: 'right@mail.test' });
      const own = async (email: string) => {
        const token = await orders.identity.token({ role: 'customer', email, emailVerified: true });
        return (await orders.call('GET /api/customers/orders', { token })).body.orders.length;
      };
      expect([await own('typo@mail.test'), await own('right@mail.test')]).toEqual([0, 1]);
    });

    test.each([
      ['no tree', { trees: 0 }, 'trees: too-small'],
      ['half a tree', { trees: 1.5 }, 'trees: not-an-integer'],
      ['a negative amount', { amount: -1 }, 'amount: too-small'],
      ['half a cent', { amount: 0.5 }, 'amount: not-an-integer'],
      ['more than any order is worth', { amount: MAX_AMOUNT_MINOR + 1 }, 'amount: too-big'],
      ['an unknown currency', { currency: 'XYZ' }, 'currency: unknown-value'],
      ['a wrong address', { customerEmail: 'nobody' }, 'customerEmail: invalid-email'],
      ['no name', { customerName: '' }, 'customerName: required'],
      ['a name that cannot be stored', { customerName: 'a\u0000' }, 'customerName: invalid'],
      [
        'a place outside the world',
        { coordinates: { latitude: 91, longitude: 0 } },
        'coordinates.latitude: too-big',
      ],
      [
        'a place of zeros',
        { coordinates: { latitude: 0, longitude: 0 } },
        'coordinates.latitude: place-zero',
      ],
      [
        'a place with its halves swapped',
        { coordinates: { latitude: -75.487031, longitude: 4.637214 } },
        'coordinates.latitude: place-swapped',
      ],
      [
        'a place without its minus',
        { coordinates: { latitude: 4.637214, longitude: 75.487031 } },
        'coordinates.longitude: place-minus',
      ],
      [
        'a place in another country',
        { coordinates: { latitude: 40.4168, longitude: -3.7038 } },
        'coordinates.latitude: place-outside',
      ],
      ['half a place', { coordinates: { latitude: 1 } }, 'coordinates.longitude: required'],
      ['notes too long', { notes: 'x'.repeat(5001) }, 'notes: too-long'],
      ['half a letter', { location: '\ud800' }, 'location: invalid'],
    ])('refuses %s, and changes nothing', async (_what, body, error) => {
      const id = await adminClient.paidOrder();
      const answer = await adminClient.edit(id, { ...body, ...(!('trees' in body) && { trees: 9 }) });
      expect(wrongField(answer)).toEqual({ status: 422, type: 'validation-failed', errors: [error] });
      expect((await adminClient.read(id)).body.order).toMatchObject({ trees: 5, version: 1 });
    });

    test('takes the highest amount for many orders, whose sums the overview still shows', async () => {
      const ids = await Promise.all(Array.from({ length: 3 }, () => adminClient.paidOrder()));
      for (const id of ids)
        expect((await adminClient.edit(id, { amount: MAX_AMOUNT_MINOR, currency: 'BRL' })).status).toBe(200);
      const { status, body } = await orders.call('GET /api/admin/overview', {
        query: { days: 92 },
        token: orders.adminToken,
      });
      expect(status).toBe(200);
      const sums = body.days.flatMap(({ amounts }: { amounts: { currency: string; amount: number }[] }) =>
        amounts.filter(({ currency }) => currency === 'BRL').map(({ amount }) => amount),
      );
      expect(sums.every((sum: number) => sum === 3 * MAX_AMOUNT_MINOR)).toBe(true);
    });

    test('refuses an edit of an outdated version', async () => {
      const id = await adminClient.paidOrder();
      const etag = (await adminClient.read(id)).headers.get('ETag')!;
      expect(etag).toBe('"1"');
      const headers = { 'If-Match': etag };
      expect((await adminClient.edit(id, { trees: 6 }, { headers })).status).toBe(200);
      const { status, body } = await adminClient.edit(id, { trees: 7 }, { headers });
      expect({ status, type: body.type }).toEqual({ status: 412, type: 'precondition-failed' });
      expect((await adminClient.edit(id, { trees: 8 }, { headers: { 'If-Match': '"2"' } })).status).toBe(200);
      expect((await adminClient.edit(id, { trees: 9 }, { headers: { 'If-Match': '*' } })).status).toBe(200);
      expect((await adminClient.read(id)).body.order).toMatchObject({ trees: 9, version: 4 });
    });

    test('accepts one of many concurrent edits of the same version', async () => {
      const id = await adminClient.paidOrder();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          adminClient.edit(id, { trees: 100 + n }, { headers: { 'If-Match': '"1"' } }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 7 }, () => 412),
      ]);
      const won = answers.find(({ status }) => status === 200)!.body.order.trees;
      expect((await adminClient.read(id)).body.order).toMatchObject({ trees: won, version: 2 });
    });

    test('accepts all concurrent edits without a version, and keeps each in the history', async () => {
      const id = await adminClient.paidOrder();
      const edits = [{ trees: 50 }, { notes: 'Steep' }, { location: 'Salento' }, { amount: 1 }];
      const answers = await Promise.all(edits.map((body) => adminClient.edit(id, body)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const { order } = (await adminClient.read(id)).body;
      expect(order).toMatchObject({ trees: 50, notes: 'Steep', location: 'Salento', amount: 1, version: 5 });
      expect(order.timeline.filter(({ type }: { type: string }) => type === 'edited')).toHaveLength(4);
    });

    test('accepts an edit after an unrelated event', async () => {
      const id = await adminClient.paidOrder();
      await orders.publish(assigned(id, { at: minute(1) }));
      await orders.order(id, (order) => order.status === 'assigned');
      expect((await adminClient.edit(id, { trees: 6 }, { headers: { 'If-Match': '"1"' } })).status).toBe(200);
    });

    test('finds nothing by an unknown id', async () => {
      expect((await adminClient.edit(newOrderId(), { trees: 1 })).status).toBe(404);
    });
  });
});

describe('POST /api/admin/orders/{id}/notes', () => {
  test('adds a note with author and time, hidden from customers', async () => {
    const id = await adminClient.paidOrder();
    const { status, body } = await adminClient.note(id, { text: 'Called her\nwill call again' });
    expect(status).toBe(201);
    expect(body.order.internalNotes).toEqual([
      {
        noteId: expect.any(String),
        text: 'Called her\nwill call again',
        by: body.order.timeline.at(-1).by,
        at: expect.any(String),
      },
    ]);
    const shown = await orders.call('GET /api/track/{token}', { params: { token: body.order.token } });
    expect(JSON.stringify(shown.body)).not.toMatch(/Called|noted/);
  });

  test('counts a note with the same key once; without a key, or by another admin, as a new one', async () => {
    const id = await adminClient.paidOrder();
    const headers = { 'Idempotency-Key': 'note-key-1' };
    const other = await orders.identity.token({ role: 'admin', id: 'another' });
    for (const parts of [{ headers }, { headers }, { headers, token: other }, {}]) {
      expect((await adminClient.note(id, { text: 'Called her' }, parts)).status).toBe(201);
    }
    expect((await adminClient.read(id)).body.order.internalNotes).toHaveLength(3);
  });

  test.each([
    ['no text', {}, 'text: required'],
    ['an empty text', { text: ' \n ' }, 'text: required'],
    ['a text that nobody can see', { text: '\u2800\u200b' }, 'text: required'],
    ['a text too long', { text: 'x'.repeat(5001) }, 'text: too-long'],
    ['a text that cannot be stored', { text: '\u0000' }, 'text: invalid'],
  ])('refuses %s', async (_what, body, error) => {
    const id = await adminClient.paidOrder();
    const answer = await adminClient.note(id, body);
    expect(wrongField(answer)).toEqual({ status: 422, type: 'validation-failed', errors: [error] });
  });

  test('finds nothing by an unknown id', async () => {
    expect((await adminClient.note(newOrderId(), { text: 'x' })).status).toBe(404);
  });
});

describe('admin status', () => {
  const saidOf = (orderId: string) =>
    orders.probe.all('order.status_changed').filter((event) => event.key === orderId);

  describe('PUT /api/admin/orders/{id}/status', () => {
    test('sets any status, with reason and name in the history, and publishes it', async () => {
      const id = await adminClient.paidOrder();
      const { status, body } = await adminClient.setStatus(id, {
        status: 'completed',
        reason: 'Seen on site',
      });
      expect(status).toBe(200);
      expect(body.order).toMatchObject({ _id: id, status: 'completed', revision: 1, version: 1 });
      expect(body.order.completionDate).toBe(body.order.plantingDate);
      expect(body.order.timeline.at(-1)).toMatchObject({
        type: 'status_changed',
        from: 'pending',
        to: 'completed',
        reason: 'Seen on site',
        by: { role: 'admin', name: 'Test admin' },
      });
      const event = await orders.probe.next('order.status_changed', ({ key }) => key === id);
      expect(event.data).toMatchObject({
        from: 'pending',
        to: 'completed',
        statusRevision: 1,
        by: { role: 'admin' },
      });
      expect((await adminClient.setStatus(id, { status: 'pending' })).body.order).toMatchObject({
        status: 'pending',
        revision: 2,
      });
    });

    test('changes nothing when the order has the status already', async () => {
      const id = await adminClient.paidOrder();
      const before = (await adminClient.read(id)).body;
      const { status, body } = await adminClient.setStatus(id, { status: 'pending' });
      expect({ status, body }).toEqual({ status: 200, body: before });
    });

    test('works with the status alone, as the product spec sends it', async () => {
      const id = await adminClient.paidOrder();
      expect((await adminClient.setStatus(id, { status: 'assigned' })).body.order.status).toBe('assigned');
    });

    test.each([
      ['an unknown status', { status: 'felled' }, ['status: unknown-value']],
      ['no status', {}, ['status: required']],
      ['an empty reason', { status: 'planted', reason: ' ' }, ['reason: required']],
      ['a reason that cannot be stored', { status: 'planted', reason: 'a\u0000b' }, ['reason: invalid']],
      ['a reason too long', { status: 'planted', reason: 'x'.repeat(1001) }, ['reason: too-long']],
    ])('refuses %s', async (_what, body, errors) => {
      const id = await adminClient.paidOrder();
      expect(wrongField(await adminClient.setStatus(id, body))).toEqual({
        status: 422,
        type: 'validation-failed',
        errors,
      });
      expect((await adminClient.read(id)).body.order.revision).toBe(0);
    });

    test('is refused for an unapproved transfer', async () => {
      const id = newOrderId();
      await orders.publish(submitted(id));
      await orders.order(id);
      const { status, body } = await adminClient.setStatus(id, { status: 'planted' });
      expect({ status, type: body.type }).toEqual({ status: 409, type: 'order-unpaid' });
    });

    test('finds nothing by an unknown id', async () => {
      expect((await adminClient.setStatus(newOrderId(), { status: 'planted' })).status).toBe(404);
      expect((await adminClient.setStatus('nonsense', { status: 'planted' })).status).toBe(404);
    });

    test('and a concurrent worker’s step give each revision one step, in sequence', async () => {
      for (let round = 0; round < 8; round++) {
        const id = await adminClient.paidOrder();
        await orders.publish(assigned(id));
        await orders.order(id, (order) => order.status === 'assigned');
        const [answer] = await Promise.all([
          adminClient.setStatus(id, { status: round % 2 ? 'completed' : 'pending' }),
          orders.publish(planted(id)),
        ]);
        expect(answer.status).toBe(200);
        const { status, revision } = answer.body.order;
        const order = await orders.order(id, (one) => one.revision >= revision);
        await waitFor(() => saidOf(id).length === order.revision);
        const steps = saidOf(id).map(({ data }) => data as { from: string; to: string });
        expect(steps.map(({ from }) => from)).toEqual(['pending', ...steps.slice(0, -1).map(({ to }) => to)]);
        // Whichever came first, the admin's status wins: a worker's step on an older revision is stale.
        expect(order.status).toBe(status);
      }
    });
  });
});
