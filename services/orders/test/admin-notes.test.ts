import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newOrderId } from './builders.ts';
import { type Desk, openDesk, wrongField } from './desk.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';

let orders: OrdersFixture;
let desk: Desk;
beforeAll(async () => {
  orders = await openOrders();
  desk = openDesk(orders);
});
afterAll(() => orders.close());

describe('POST /api/admin/orders/{id}/notes', () => {
  test('adds a note with who wrote it and when, which no customer sees', async () => {
    const id = await desk.paidOrder();
    const { status, body } = await desk.note(id, { text: 'Called her\nwill call again' });
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

  test('sent again under its key is one note; without a key, or by another, it is another', async () => {
    const id = await desk.paidOrder();
    const headers = { 'Idempotency-Key': 'note-key-1' };
    const other = await orders.identity.token({ role: 'admin', id: 'another' });
    for (const parts of [{ headers }, { headers }, { headers, token: other }, {}]) {
      expect((await desk.note(id, { text: 'Called her' }, parts)).status).toBe(201);
    }
    expect((await desk.read(id)).body.order.internalNotes).toHaveLength(3);
  });

  test.each([
    ['no text', {}, 'text: required'],
    ['an empty text', { text: ' \n ' }, 'text: required'],
    ['a text too long', { text: 'x'.repeat(5001) }, 'text: too-long'],
    ['a text that cannot be stored', { text: '\u0000' }, 'text: invalid'],
  ])('refuses %s', async (_what, body, error) => {
    const id = await desk.paidOrder();
    const answer = await desk.note(id, body);
    expect(wrongField(answer)).toEqual({ status: 422, type: 'validation-failed', errors: [error] });
  });

  test('finds nothing by an id that no order has', async () => {
    expect((await desk.note(newOrderId(), { text: 'x' })).status).toBe(404);
  });
});
