import type { Gift } from '@arboleda/contracts/gift.ts';
import { daysLater } from '@arboleda/contracts/time-zone.ts';
import { describe, expect, test } from '@jest/globals';
import { minute, payment } from './builders.ts';
import { giftBounced, giftDelivered, giftTo, refunded, refundFailed } from './event-builders.ts';
import {
  orders,
  ALBA,
  TODAY,
  given,
  giftOf,
  eventsSoFar,
  someEvents,
  tokenOf,
  refusal,
  change,
  sendAgain,
  open,
  thank,
  account,
  claim,
} from './gift-harness.ts';

describe('a delivered gift', () => {
  const delivered = async (changes: Partial<Gift> = {}) => {
    const data = await given(changes);
    const token = await tokenOf(data.orderId);
    await orders.publish(giftDelivered(data.orderId));
    await giftOf(data.orderId, ({ state }) => state === 'sent');
    return { ...data, token };
  };

  test('can no longer be changed', async () => {
    const data = await delivered();
    expect(refusal(await change(data, giftTo({ message: 'Too late' })))).toEqual([409, 'gift-sent']);
  });

  test('is sent again once a day', async () => {
    const data = await delivered();
    const { status, body } = await sendAgain(data);
    expect([status, body.gift.state]).toEqual([200, 'sent']);
    const event = (await someEvents('gift.scheduled', data.orderId, 2)).at(-1)!;
    expect(event).toMatchObject({ revision: 2, again: true, link: 1 });
    expect(refusal(await sendAgain(data))).toEqual([409, 'gift-sent-today']);
  });

  test('is not sent again before it was sent, nor when the buyer hands it over', async () => {
    expect(refusal(await sendAgain(await given()))).toEqual([409, 'gift-not-sent']);
    expect(refusal(await sendAgain(await delivered({ recipientEmail: null })))).toEqual([
      409,
      'gift-not-sent',
    ]);
  });

  test('that was on its way when its day changed counts as sent', async () => {
    const data = await given();
    await tokenOf(data.orderId);
    await change(data, giftTo({ deliverOn: daysLater(TODAY, 40) }));
    await orders.publish(giftDelivered(data.orderId, 1));
    await giftOf(data.orderId, ({ state }) => state === 'sent');
    expect(refusal(await change(data, giftTo()))).toEqual([409, 'gift-sent']);
  });

  test('that went to an earlier address does not count', async () => {
    const data = await given();
    await change(data, giftTo({ recipientEmail: 'corrected@mail.test' }));
    await orders.publish(giftDelivered(data.orderId, 1), giftDelivered(data.orderId, 2, minute(99)));
    const gift = await giftOf(data.orderId, ({ state }) => state === 'sent');
    expect(gift.sentAt).toBe(minute(99));
  });

  test('may bounce afterwards, and goes to the corrected address by a new link', async () => {
    const data = await delivered({ deliverOn: daysLater(TODAY, -2) });
    await orders.publish(giftBounced(data.orderId));
    await giftOf(data.orderId, ({ state }) => state === 'bounced');
    const corrected = giftTo({ deliverOn: daysLater(TODAY, -2), recipientEmail: 'right@mail.test' });
    expect((await change(data, corrected)).body.gift.state).toBe('waiting');
    const event = (await someEvents('gift.scheduled', data.orderId, 2)).at(-1)!;
    expect([event.gift.recipientEmail, event.deliverAt]).toEqual(['right@mail.test', event.at]);
    expect(refusal(await open(data.token))).toEqual([404, 'not-found']);
    // A late bounce of the old address.
    await orders.publish(giftBounced(data.orderId, 1), giftDelivered(data.orderId, 2, minute(99)));
    expect((await giftOf(data.orderId, ({ sentAt }) => sentAt === minute(99))).state).toBe('sent');
  });

  test('stays bounced when the events come in the wrong order', async () => {
    const { orderId } = await given();
    await orders.publish(giftBounced(orderId, 1, 'refused'));
    await giftOf(orderId, ({ state }) => state === 'refused');
    await orders.publish(giftDelivered(orderId), refunded(orderId, { amountMinor: 1, isFull: false }));
    await orders.order(orderId, ({ refunds }) => refunds.length === 1);
    expect((await giftOf(orderId)).state).toBe('refused');
  });
});

describe('a full refund', () => {
  test('before the day cancels the gift; when it fails, the gift goes after all', async () => {
    const data = await given();
    const token = await tokenOf(data.orderId);
    await orders.publish(refunded(data.orderId));
    await giftOf(data.orderId, ({ state }) => state === 'cancelled');
    expect(await someEvents('gift.cancelled', data.orderId)).toMatchObject([{ revision: 2 }]);
    for (const answer of [await open(token), await thank(token), await claim(token, await account())])
      expect(refusal(answer)).toEqual([410, 'gift-cancelled']);
    expect(refusal(await change(data, giftTo({ message: 'x' })))).toEqual([410, 'gift-cancelled']);
    await orders.publish(refundFailed(data.orderId));
    await giftOf(data.orderId, ({ state }) => state === 'waiting');
    expect((await someEvents('gift.scheduled', data.orderId, 2)).at(-1)).toMatchObject({
      revision: 3,
      link: 1,
    });
  });

  test('after the day leaves the gift, and its page says what is true', async () => {
    const data = await given();
    const token = await tokenOf(data.orderId);
    await orders.publish(giftDelivered(data.orderId));
    await giftOf(data.orderId, ({ state }) => state === 'sent');
    await orders.publish(refunded(data.orderId));
    await orders.order(data.orderId, ({ withdrawn }) => withdrawn === true);
    expect((await open(token)).body).toMatchObject({ refunded: true, withdrawn: true });
    expect(eventsSoFar('gift.cancelled', data.orderId)).toEqual([]);
  });
});

describe('an admin', () => {
  test('finds gifts by their state', async () => {
    const [waiting, sent, bounced, claimed] = [await given(), await given(), await given(), await given()];
    const { data: none } = payment({ customer: ALBA });
    await orders.publish(
      { type: 'payment.succeeded', data: none },
      giftDelivered(sent.orderId),
      giftBounced(bounced.orderId),
    );
    await giftOf(sent.orderId, ({ state }) => state === 'sent');
    await giftOf(bounced.orderId, ({ state }) => state === 'bounced');
    await claim(await tokenOf(claimed.orderId), await account());
    const ids = [waiting, sent, bounced, claimed, none].map(({ orderId }) => orderId);
    const found = async (gift: string) => {
      const query = { gift, ids: ids.join(',') };
      const { body } = await orders.call('GET /api/admin/orders/manage', { query, token: orders.adminToken });
      expect(body.counts.all).toBe(body.orders.length);
      return ids.map((id) => body.orders.some(({ _id }: { _id: string }) => _id === id));
    };
    expect(await found('any')).toEqual([true, true, true, true, false]);
    expect(await found('waiting')).toEqual([true, false, false, true, false]);
    expect(await found('sent')).toEqual([false, true, false, false, false]);
    expect(await found('bounced')).toEqual([false, false, true, false, false]);
    expect(await found('claimed')).toEqual([false, false, false, true, false]);
  });

  test('reads what became of a gift in the history', async () => {
    const { orderId } = await given();
    const token = await tokenOf(orderId);
    await orders.publish(giftDelivered(orderId, 1, new Date().toISOString()));
    await giftOf(orderId, ({ state }) => state === 'sent');
    await claim(token, await account());
    await thank(token);
    const { timeline } = await orders.order(orderId);
    expect(timeline.map(({ type }) => type)).toEqual([
      'paid',
      'created',
      'gift_sent',
      'gift_claimed',
      'gift_thanked',
    ]);
  });
});
