import { testGiftToken } from '@arboleda/chassis/testing/config.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import type { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import type { Change } from '@arboleda/chassis/records.ts';
import { decidePayment } from '../order/creation.ts';
import { minute, newOrderId, payment } from '../test/builders.ts';
import { giftBounced, giftDelivered, giftTo } from '../test/event-builders.ts';
import type { Order } from '../order/order.ts';
import {
  decideBounce,
  decideClaim,
  decideDecline,
  decideDelivery,
  decideGiftChange,
  decideRecipientErasure,
  decideSendAgain,
  decideThanks,
  giftOf,
  isAnotherDelivery,
  paidGift,
  withGift,
} from './gift.ts';
import type { OrderGift } from './order-gift.ts';

const orderId = newOrderId();
const at = minute(30);
const DAY = '2026-12-10';
/** Nine in the morning in Bogotá. */
const MORNING = `${DAY}T14:00:00.000Z`;
const wanted = (changes = {}) => giftTo({ deliverOn: DAY, ...changes });

const bare: Order = decidePayment(undefined, payment({ orderId, gift: wanted() }).data)!.record;
const order = (gift: Partial<OrderGift> = {}, rest: Partial<Order> = {}): Order => ({
  ...bare,
  ...rest,
  gift: { ...bare.gift!, ...gift },
});
/** Announced once. */
const waiting = (gift: Partial<OrderGift> = {}) => order({ revision: 1, ...gift });
const sent = (gift: Partial<OrderGift> = {}) =>
  waiting({ state: 'sent', sentAt: minute(10), settledRevision: 1, ...gift });
const claim = { accountId: 'account-olga', at: minute(12) };
const erased = { customer: { ...bare.customer, ...ERASED_CUSTOMER } };
const unpaid = (gift: Partial<OrderGift> = {}): Order => ({
  ...order(gift),
  manualPayment: { verificationStatus: 'pending' } as never,
});
const withoutGift = { ...bare, gift: undefined };
const refusal = (decide: () => unknown): string | undefined => {
  try {
    decide();
  } catch (error) {
    return (error as Problem).type ?? (error as Error).message;
  }
  return undefined;
};
const lastLine = ({ record }: Change<Order>) => record.timeline.at(-1);
const buyer = { role: 'customer', name: bare.customer.name };

describe('a gift follows its order', () => {
  const change = (record: Order): Change<Order> => ({
    record,
    events: [{ type: 'order.created', data: {} } as never],
    jobs: [],
  });
  const scheduled = (data = {}) => ({
    type: 'gift.scheduled',
    data: {
      orderId,
      revision: 1,
      gift: {
        recipientName: 'Olga Ruiz',
        recipientEmail: 'olga@mail.test',
        message: 'For your birthday.',
        language: 'en',
        card: 'valley',
      },
      from: bare.customer.name,
      trees: 5,
      link: 1,
      deliverAt: MORNING,
      addressedAt: minute(0),
      at,
      ...data,
    },
  });

  test('is announced once it is paid for, besides what the change says', () => {
    const { record, events, ...rest } = withGift(undefined, change(order()), { at });
    expect(events).toEqual([{ type: 'order.created', data: {} }, scheduled()]);
    expect(rest).toEqual({ jobs: [] });
    expect(record).toEqual(order({ revision: 1, deliverAt: MORNING }));
  });

  test.each([
    ['no gift', withoutGift],
    ['an erased gift', order({ erasedAt: at })],
    ['an unpaid order', unpaid()],
    ['a sent gift', sent()],
    ['a gift that is known', waiting()],
    ['an erased gift of a refunded order', order({ erasedAt: at }, { isGivenBack: true })],
    ['a sent gift of a refunded order', { ...sent(), isGivenBack: true }],
  ])('says nothing about %s', (_what, record) => {
    const said = change(record);
    expect(withGift(record, said, { at })).toBe(said);
  });

  test.each([
    ['recipientName', { recipientName: 'Olga Rojas' }],
    ['message', { message: 'Another.' }],
    ['language', { language: 'es' as const }],
    ['card', { card: 'night' as never }],
    ['deliverOn', { deliverOn: '2026-12-11' }],
    ['timeZone', { timeZone: 'Europe/Madrid' }],
  ])('is announced again when its %s changes', (_field, changes) => {
    const after = waiting(changes);
    const { record, events } = withGift(waiting(), change(after), { at });
    expect(events).toHaveLength(2);
    expect(events![1]).toMatchObject({
      type: 'gift.scheduled',
      data: { revision: 2, addressedAt: minute(0) },
    });
    expect(record.gift).toMatchObject({ ...changes, revision: 2, addressed: { revision: 1, at: minute(0) } });
  });

  test('is announced again when buyer or trees change, and names no erased buyer', () => {
    const said = (after: Order) => withGift(waiting(), change(after), { at }).events![1];
    expect(said({ ...waiting(), trees: 6 })).toMatchObject({ data: { trees: 6 } });
    expect(said({ ...waiting(), customer: { ...bare.customer, name: 'Rosa' } })).toMatchObject({
      data: { from: 'Rosa' },
    });
    expect(said({ ...waiting(), ...erased })!.data).not.toHaveProperty('from');
  });

  test('counts revisions of an address from its own first one', () => {
    const after = waiting({ recipientEmail: 'rosa@mail.test', link: 2, addressed: { revision: 1, at } });
    const { record } = withGift(waiting(), change(after), { at });
    expect(record.gift).toMatchObject({ revision: 2, addressed: { revision: 2, at } });
  });

  test.each([
    ['a refund', { isGivenBack: true }],
    ['a withdrawal', { withdrawal: { requestedAt: at } as never }],
    ['a credit that went back', { suspectedReturns: [{ debitId: 'd', at }] as never }],
  ])('is cancelled by %s, while it waits or after it bounced', (_what, rest) => {
    for (const state of ['waiting', 'bounced'] as const) {
      const record = { ...waiting({ state }), ...rest };
      const changed = withGift(record, change(record), { at });
      expect(changed.events![1]).toEqual({ type: 'gift.cancelled', data: { orderId, revision: 2, at } });
      expect(changed.record.gift).toMatchObject({ state: 'cancelled', revision: 2 });
      expect(lastLine(changed)).toEqual({ at, type: 'gift_cancelled', by: { role: 'system' } });
    }
    const gone = { ...waiting({ state: 'cancelled' }), ...rest };
    expect(withGift(gone, change(gone), { at }).events).toHaveLength(1);
  });

  test('is announced again when the order is kept after all, at once when its day has passed', () => {
    const late = '2026-12-20T10:00:00.000Z';
    const record = waiting({ state: 'cancelled', revision: 2 });
    const changed = withGift(record, change(record), { at: late });
    expect(changed.events![1]).toEqual(scheduled({ revision: 3, deliverAt: late, at: late }));
    expect(changed.record.gift).toMatchObject({ state: 'waiting', revision: 3, deliverAt: late });
  });
});

describe('a gift that is asked for', () => {
  test('must be there, and not erased', () => {
    const given = order();
    expect(giftOf(given)).toBe(given.gift);
    expect(refusal(() => giftOf(withoutGift))).toBe('not-found');
    expect(refusal(() => giftOf(order({ erasedAt: at })))).toBe('gift-erased');
  });

  test('counts for its recipient once it is paid for, unless it is cancelled', () => {
    const given = order();
    expect(paidGift(given)).toBe(given.gift);
    expect(refusal(() => paidGift(order({ state: 'cancelled' })))).toBe('gift-cancelled');
    expect(refusal(() => paidGift(unpaid()))).toBe('order-unpaid');
  });

  test('is another delivery with another address or day', () => {
    expect(isAnotherDelivery(wanted(), wanted({ message: 'x' }))).toBe(false);
    expect(isAnotherDelivery(wanted(), wanted({ recipientEmail: 'x@mail.test' }))).toBe(true);
    expect(isAnotherDelivery(wanted(), wanted({ deliverOn: '2026-12-11' }))).toBe(true);
  });
});

describe('a buyer who changes a gift', () => {
  const change = (from: Order, changes: object) =>
    decideGiftChange(from, wanted(changes), { at, giftToken: testGiftToken });

  test('changes nothing with the same one, even a claimed one', () => {
    expect(change(waiting(), {})).toBeUndefined();
    expect(change(sent({ claim }), {})).toBeUndefined();
  });

  test('writes another text for the same address, whose link stays', () => {
    const changed = change(waiting({ sentAt: minute(3), declinedAt: minute(4) }), { message: 'Another.' })!;
    expect(changed.record.gift).toEqual({
      ...waiting().gift,
      message: 'Another.',
      deliverAt: MORNING,
      sentAt: undefined,
      declinedAt: minute(4),
    });
    expect(lastLine(changed)).toEqual({ at, type: 'gift_changed', by: buyer });
  });

  test('gives another address, which gets another link', () => {
    const changed = change(waiting({ state: 'bounced', declinedAt: minute(4) }), {
      recipientEmail: 'rosa@mail.test',
    })!;
    expect(changed.record.gift).toEqual({
      ...waiting().gift,
      recipientEmail: 'rosa@mail.test',
      deliverAt: MORNING,
      sentAt: undefined,
      link: 2,
      token: testGiftToken(orderId, 2),
      addressed: { revision: 1, at },
      declinedAt: undefined,
    });
  });

  test.each([
    ['gift-claimed', sent({ claim }), { message: 'x' }],
    ['gift-sent', sent(), { message: 'x' }],
    ['gift-cancelled', waiting({ state: 'cancelled' }), { message: 'x' }],
    ['not-found', withoutGift, { message: 'x' }],
    ['validation-failed', waiting(), { deliverOn: '2026-11-01' }],
    ['validation-failed', waiting(), { deliverOn: '2029-11-01' }],
  ])('is refused: %s', (type, from, changes) => {
    expect(refusal(() => change(from as Order, changes))).toBe(type);
  });

  test('names the day that is wrong, and keeps a day that has passed', () => {
    expect(() => change(waiting(), { deliverOn: '2026-11-01' })).toThrow(
      expect.objectContaining({ fields: [{ path: 'gift.deliverOn', type: 'gift-day-past' }] }),
    );
    const late = '2026-12-20T10:00:00.000Z';
    const changed = decideGiftChange(waiting({ state: 'bounced' }), wanted({ message: 'x' }), {
      at: late,
      giftToken: testGiftToken,
    })!;
    expect(changed.record.gift).toMatchObject({ deliverAt: late, state: 'waiting' });
    expect(
      refusal(() =>
        decideGiftChange(waiting(), wanted({ timeZone: 'Asia/Tokyo' }), {
          at: late,
          giftToken: testGiftToken,
        }),
      ),
    ).toBe('validation-failed');
  });
});

describe('a gift that is sent again', () => {
  const next = '2026-11-25T20:00:00.000Z';

  test('goes to the same link, and says that it comes again', () => {
    const changed = decideSendAgain(sent(), next);
    expect(changed.events).toMatchObject([
      { type: 'gift.scheduled', data: { orderId, revision: 2, deliverAt: next, at: next, again: true } },
    ]);
    expect(changed.record.gift).toEqual({ ...sent().gift, revision: 2, deliverAt: next, sentAgainAt: next });
    expect(lastLine(changed)).toEqual({ at: next, type: 'gift_sent_again', by: buyer });
  });

  test.each([
    ['gift-claimed', sent({ claim })],
    ['gift-not-sent', waiting()],
    ['gift-not-sent', sent({ recipientEmail: null })],
    ['gift-not-sent', sent({ declinedAt: at })],
    ['gift-cancelled', { ...sent(), isGivenBack: true }],
    ['gift-cancelled', waiting({ state: 'cancelled' })],
    ['gift-sent-today', sent({ sentAt: '2026-11-25T06:00:00.000Z' })],
    ['gift-sent-today', sent({ sentAgainAt: '2026-11-25T06:00:00.000Z' })],
    [
      'gift-sent-today',
      sent({ sentAt: '2026-11-25T06:00:00.000Z', sentAgainAt: '2026-11-22T06:00:00.000Z' }),
    ],
  ])('is refused: %s', (type, from) => {
    expect(refusal(() => decideSendAgain(from as Order, next))).toBe(type);
  });

  test('may go on the next day of its own time zone, and when no day is known', () => {
    expect(
      refusal(() => decideSendAgain(sent({ sentAt: '2026-11-25T04:59:00.000Z' }), next)),
    ).toBeUndefined();
    expect(refusal(() => decideSendAgain(sent({ sentAt: undefined }), next))).toBeUndefined();
  });
});

describe('the delivery of a gift', () => {
  const delivered = giftDelivered(orderId, 1, at).data;
  const bounced = giftBounced(orderId).data;

  test('is noted once, in whatever state the gift is', () => {
    const changed = decideDelivery(waiting(), delivered)!;
    expect(changed.record.gift).toEqual({ ...waiting().gift, state: 'sent', sentAt: at, settledRevision: 1 });
    expect(lastLine(changed)).toEqual({ at, type: 'gift_sent', by: { role: 'system' } });
    expect(decideDelivery(changed.record, delivered)).toBeUndefined();
    expect(decideDelivery(waiting({ state: 'cancelled' }), delivered)!.record.gift!.state).toBe('sent');
  });

  test.each([
    ['no gift', withoutGift],
    ['an erased gift', waiting({ erasedAt: at })],
    ['another address since', waiting({ revision: 2, addressed: { revision: 2, at } })],
    ['a later one', waiting({ revision: 3, settledRevision: 2 })],
  ])('is ignored for %s', (_what, from) => {
    expect(decideDelivery(from, delivered)).toBeUndefined();
    expect(decideBounce(from, bounced)).toBeUndefined();
  });

  test('waits for its order', () => {
    expect(refusal(() => decideDelivery(undefined, delivered))).toContain(orderId);
    expect(refusal(() => decideBounce(undefined, bounced))).toContain(orderId);
  });

  test('fails, also after a mail server accepted it, once', () => {
    for (const from of [waiting(), sent()]) {
      const changed = decideBounce(from, bounced)!;
      expect(changed.record.gift).toEqual({ ...from.gift, state: 'bounced', settledRevision: 1 });
      expect(lastLine(changed)).toEqual({
        at: bounced.at,
        type: 'gift_bounced',
        by: { role: 'system' },
        reason: 'bounced',
      });
      expect(decideBounce(changed.record, bounced)).toBeUndefined();
    }
    expect(decideBounce(waiting(), giftBounced(orderId, 1, 'refused').data)!.record.gift!.state).toBe(
      'refused',
    );
  });

  test('does not fail when it is cancelled, or its recipient has it', () => {
    expect(decideBounce(waiting({ state: 'cancelled' }), bounced)).toBeUndefined();
    expect(decideBounce(sent({ claim }), bounced)).toBeUndefined();
    expect(decideBounce(waiting({ claim }), bounced)!.record.gift!.state).toBe('bounced');
  });
});

describe('a recipient', () => {
  const by = {
    accountId: claim.accountId,
    name: 'Olga',
    email: 'olga@mail.test',
    language: 'en' as const,
    at,
  };
  const recipient = { role: 'customer' };

  test('claims the trees once', () => {
    const changed = decideClaim(sent(), by)!;
    expect(changed.record.gift).toEqual({ ...sent().gift, claim: { accountId: by.accountId, at } });
    expect(changed.events).toEqual([{ type: 'gift.claimed', data: { orderId, ...by } }]);
    expect(lastLine(changed)).toEqual({ at, type: 'gift_claimed', by: recipient });
    expect(decideClaim(changed.record, by)).toBeUndefined();
    expect(refusal(() => decideClaim(sent({ claim: { accountId: 'another', at } }), by))).toBe(
      'gift-claimed',
    );
    expect(refusal(() => decideClaim(unpaid(), by))).toBe('order-unpaid');
  });

  test('thanks once', () => {
    const changed = decideThanks(sent(), { text: '¡Gracias!', at });
    expect(changed.record.gift).toEqual({ ...sent().gift, thanks: { text: '¡Gracias!', at } });
    expect(changed.events).toEqual([
      { type: 'gift.thanked', data: { orderId, text: '¡Gracias!', from: 'Olga Ruiz', at } },
    ]);
    expect(lastLine(changed)).toEqual({ at, type: 'gift_thanked', by: recipient });
    expect(refusal(() => decideThanks(changed.record, { text: 'x', at }))).toBe('gift-thanked');
  });

  test('declines once, also a cancelled gift', () => {
    const changed = decideDecline(sent(), at)!;
    expect(changed.record.gift).toEqual({ ...sent().gift, declinedAt: at });
    expect(changed.events).toEqual([{ type: 'gift.declined', data: { orderId, at } }]);
    expect(lastLine(changed)).toEqual({ at, type: 'gift_declined', by: recipient });
    expect(decideDecline(changed.record, at)).toBeUndefined();
    expect(decideDecline(waiting({ state: 'cancelled' }), at)).toBeDefined();
    expect(refusal(() => decideDecline(unpaid(), at))).toBe('order-unpaid');
    expect(refusal(() => decideDecline(withoutGift, at))).toBe('not-found');
  });
});

describe('the erasure of a recipient', () => {
  const olga = { accountId: claim.accountId, email: 'Olga@mail.test', at };
  const ERASED = { recipientEmail: null, thanks: undefined };

  test('takes all of a gift that they have, and cancels one that waits', () => {
    const thanks = { text: 'x', at };
    for (const [from, state] of [
      [waiting({ claim, thanks }), 'cancelled'],
      [sent({ claim, thanks }), 'sent'],
    ] as const) {
      const changed = decideRecipientErasure(from, { accountId: olga.accountId, at })!;
      expect(changed.record.gift).toEqual({
        ...from.gift,
        ...ERASED,
        recipientName: expect.not.stringContaining('Olga'),
        message: '',
        claim: undefined,
        state,
        revision: 2,
        erasedAt: at,
      });
      expect(changed.events).toEqual([{ type: 'gift.cancelled', data: { orderId, revision: 2, at } }]);
      expect(lastLine(changed)).toEqual({ at, type: 'gift_erased', by: { role: 'customer' } });
    }
  });

  test('takes name and address alone when another account has it', () => {
    const from = sent({ claim: { accountId: 'another', at } });
    const changed = decideRecipientErasure(from, olga)!;
    expect(changed.record.gift).toEqual({ ...from.gift, ...ERASED, recipientName: expect.any(String) });
    expect(changed.record.gift!.recipientName).not.toContain('Olga');
    expect(changed.events).toBeUndefined();
  });

  test('takes their name from the certificate that they named, and no other', () => {
    const certificate = { name: 'Olga', language: 'es' as const, versions: [] };
    const named = (more: object) =>
      decideRecipientErasure({ ...sent({ claim }), certificate: { ...certificate, ...more } }, olga)!.record
        .certificate;
    expect(named({ namedByRecipient: true })).toEqual({ ...certificate, namedByRecipient: true, name: null });
    expect(named({})).toEqual(certificate);
  });

  test('finds them by the address that was given before, and changes nothing else', () => {
    expect(decideRecipientErasure(waiting(), olga)!.record.gift!.erasedAt).toBe(at);
    expect(decideRecipientErasure(waiting({ addressed: { revision: 1, at } }), olga)).toBeDefined();
    expect(
      decideRecipientErasure(waiting({ addressed: { revision: 1, at: minute(31) } }), olga),
    ).toBeUndefined();
    expect(decideRecipientErasure(waiting(), { ...olga, email: 'rosa@mail.test' })).toBeUndefined();
    expect(decideRecipientErasure(waiting(), { accountId: olga.accountId, at })).toBeUndefined();
    expect(decideRecipientErasure(waiting({ erasedAt: at }), olga)).toBeUndefined();
    expect(decideRecipientErasure(withoutGift, olga)).toBeUndefined();
    expect(decideRecipientErasure(undefined, olga)).toBeUndefined();
  });
});
