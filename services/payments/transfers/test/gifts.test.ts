import type { Gift } from '@arboleda/contracts/gift.ts';
import { dayIn, daysLater } from '@arboleda/contracts/time-zone.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startTestTransfers, type TestTransfers } from './transfers.ts';

jest.setTimeout(60_000);

let transfers: TestTransfers;
beforeAll(async () => {
  transfers = await startTestTransfers();
});
afterAll(() => transfers.close());

const giftTo = (changes: Partial<Gift> = {}): Gift => ({
  recipientName: 'Olga Ruiz',
  recipientEmail: `${randomUUID()}@mail.test`,
  message: 'For your birthday.',
  language: 'en',
  card: 'night',
  deliverOn: daysLater(dayIn(new Date(), 'Europe/Madrid'), 20),
  timeZone: 'Europe/Madrid',
  ...changes,
});
const send = (gift: unknown) =>
  transfers.send({ gift: typeof gift === 'string' ? gift : JSON.stringify(gift) });

describe('a transfer that is a gift', () => {
  test('carries it to the order, when it is submitted and when it is approved', async () => {
    const gift = giftTo();
    const { status, body } = await send(gift);
    expect(status).toBe(201);
    const submitted = await transfers.events.next(
      'payment.submitted',
      ({ data }) => data.orderId === body.orderId,
    );
    expect(submitted.data.gift).toEqual(gift);
    await transfers.verify(body.orderId);
    const approved = await transfers.events.next(
      'payment.succeeded',
      ({ data }) => data.orderId === body.orderId,
    );
    expect(approved.data.gift).toEqual(gift);
  });

  test.each([
    ['no JSON', '{"recipientName":', 'gift: invalid'],
    ['an empty text', '', 'gift: invalid'],
    ['another thing', '7', 'gift: invalid'],
    ['no name', giftTo({ recipientName: '' }), 'gift.recipientName: required'],
    ['a day that has passed', giftTo({ deliverOn: '2026-01-01' }), 'gift.deliverOn: gift-day-past'],
  ])('is refused with %s, and nothing is kept', async (_what, gift, expected) => {
    const before = await transfers.kept();
    const { status, body } = await send(gift);
    expect([status, body.errors.map(({ path, type }: Record<string, string>) => `${path}: ${type}`)]).toEqual(
      [422, [expected]],
    );
    expect((await transfers.kept()).transfers).toBe(before.transfers);
  });

  test('is one of at most five to an address a day, unless others were rejected', async () => {
    const recipientEmail = `${randomUUID()}@mail.test`;
    const sent: string[] = [];
    for (let n = 0; n < 5; n++) sent.push((await send(giftTo({ recipientEmail }))).body.orderId);
    const refused = await send(giftTo({ recipientEmail }));
    expect([refused.status, refused.body.type]).toEqual([422, 'too-many-gifts']);
    await transfers.reject(sent[0]!);
    expect((await send(giftTo({ recipientEmail }))).status).toBe(201);
  });
});
