import type { GiftTokens } from '@arboleda/chassis/order-token.ts';
import type { Change } from '@arboleda/chassis/records.ts';
import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { type Gift, giftDayProblem, giftMoment } from '@arboleda/contracts/gift.ts';
import { ERASED_CUSTOMER, isErased } from '@arboleda/contracts/order.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { dayIn } from '@arboleda/contracts/time-zone.ts';
import { isDeepStrictEqual } from 'node:util';
import { isPaid, isReturnOpen, isStopped, notYet, type Order } from '../order/order.ts';
import { SYSTEM, type TimelineEntry } from '../order/timeline.ts';
import type { OrderGift } from './order-gift.ts';

const RECIPIENT: Actor = { role: 'customer' };

/** The parts of a waiting gift that notifications needs. */
const announcement = ({ gift, customer, trees }: Order) =>
  gift && {
    recipientName: gift.recipientName,
    recipientEmail: gift.recipientEmail,
    message: gift.message,
    language: gift.language,
    card: gift.card,
    day: [gift.deliverOn, gift.timeZone],
    link: gift.link,
    from: isErased(customer.email) ? undefined : customer.name,
    trees,
  };

/**
 * Keeps notifications up to date in the write that changes an order: announces a gift once it is paid for and after each
 * change while it waits, cancels it after a full refund, when its buyer withdraws or the bank may have taken the money back,
 * and announces it again when that refund failed or the order is kept after all.
 */
export function withGift(
  before: Order | undefined,
  change: Change<Order>,
  { at }: { at: string },
): Change<Order> {
  const order = change.record;
  const { gift } = order;
  if (!gift || gift.erasedAt !== undefined || !isPaid(order)) return change;
  if (order.isGivenBack || order.withdrawal || isReturnOpen(order))
    return isUndelivered(gift) ? cancelled(change, at) : change;
  if (gift.state === 'cancelled') return announced(change, { ...gift, state: 'waiting' }, at);
  if (gift.state !== 'waiting') return change;
  const isKnown =
    before?.gift?.state === 'waiting' &&
    gift.revision > 0 &&
    isDeepStrictEqual(announcement(before), announcement(order));
  return isKnown ? change : announced(change, gift, at, before?.gift?.link);
}

const isUndelivered = ({ state }: OrderGift): boolean => state === 'waiting' || state === 'bounced';

function announced(
  change: Change<Order>,
  gift: OrderGift,
  at: string,
  linkBefore: number = gift.link,
): Change<Order> {
  const revision = gift.revision + 1;
  const addressed = gift.link === linkBefore ? gift.addressed : { ...gift.addressed, revision };
  const deliverAt = giftMoment(gift, new Date(at)).toISOString();
  return withEvent(change, { ...gift, revision, addressed, deliverAt }, scheduledEvent, at);
}

function cancelled(change: Change<Order>, at: string): Change<Order> {
  const gift = change.record.gift!;
  return withEvent(
    withLine(change, { at, type: 'gift_cancelled', by: SYSTEM }),
    { ...gift, state: 'cancelled', revision: gift.revision + 1 },
    cancelledEvent,
    at,
  );
}

type ToEvent = (order: Order, gift: OrderGift, at: string) => NewEvent;

const withEvent = (
  { record, events = [], ...rest }: Change<Order>,
  gift: OrderGift,
  eventOf: ToEvent,
  at: string,
): Change<Order> => ({
  ...rest,
  record: { ...record, gift },
  events: [...events, eventOf(record, gift, at)],
});

const withLine = ({ record, ...rest }: Change<Order>, line: TimelineEntry): Change<Order> => ({
  ...rest,
  record: { ...record, timeline: [...record.timeline, line] },
});

function scheduledEvent(order: Order, gift: OrderGift, at: string): NewEvent<'gift.scheduled'> {
  const { recipientName, recipientEmail, message, language, card, link, revision, deliverAt } = gift;
  const { customer, trees } = order;
  return {
    type: 'gift.scheduled',
    data: {
      orderId: order.id,
      revision,
      gift: { recipientName, recipientEmail, message, language, card },
      ...(!isErased(customer.email) && { from: customer.name }),
      trees,
      link,
      deliverAt,
      addressedAt: gift.addressed.at,
      at,
    },
  };
}

const cancelledEvent: ToEvent = ({ id: orderId }, { revision }, at) => ({
  type: 'gift.cancelled',
  data: { orderId, revision, at },
});

const contentOf = (gift: Gift) => {
  const { recipientName, recipientEmail, message, language, card, deliverOn, timeZone } = gift;
  return { recipientName, recipientEmail, message, language, card, deliverOn, timeZone };
};

/** @throws Problem `not-found` without a gift, or `gift-erased` */
export function giftOf({ gift }: Pick<Order, 'gift'>): OrderGift {
  if (!gift) throw new Problem('not-found');
  if (gift.erasedAt !== undefined) throw new Problem('gift-erased');
  return gift;
}

/** @throws Problem `not-found`, `gift-erased` or `gift-cancelled` */
function givenGift(order: Order): OrderGift {
  const gift = giftOf(order);
  if (gift.state === 'cancelled') throw new Problem('gift-cancelled');
  return gift;
}

/** A paid gift. @throws Problem as `givenGift`, and `order-unpaid` */
export function paidGift(order: Order): OrderGift {
  const gift = givenGift(order);
  if (!isPaid(order)) throw new Problem('order-unpaid');
  return gift;
}

/** Whether the address or the day changes, so that the limit of gifts counts. */
export const isAnotherDelivery = (before: Gift, after: Gift): boolean =>
  before.recipientEmail !== after.recipientEmail || before.deliverOn !== after.deliverOn;

/**
 * Changes what a buyer wrote, until it is sent or after it bounced. The same gift changes nothing. Another address gets
 * another link, so that the old link shows nothing.
 * @throws Problem of `givenGift`, `gift-claimed`, `gift-sent`, or one at `gift.deliverOn`
 */
export function decideGiftChange(
  order: Order,
  wanted: Gift,
  { at, giftToken }: { at: string; giftToken: GiftTokens },
): Change<Order> | undefined {
  const gift = givenGift(order);
  if (isDeepStrictEqual(contentOf(gift), contentOf(wanted))) return undefined;
  if (gift.claim) throw new Problem('gift-claimed');
  if (gift.state === 'sent') throw new Problem('gift-sent');
  const isSameDay = gift.deliverOn === wanted.deliverOn && gift.timeZone === wanted.timeZone;
  // The day of a gift that bounced may have passed.
  const dayProblem = isSameDay ? undefined : giftDayProblem(wanted, new Date(at));
  if (dayProblem) throw fieldProblem('gift.deliverOn', dayProblem);
  const isReaddressed = gift.recipientEmail !== wanted.recipientEmail;
  const link = gift.link + 1;
  const changed: OrderGift = {
    ...gift,
    ...contentOf(wanted),
    state: 'waiting',
    deliverAt: giftMoment(wanted, new Date(at)).toISOString(),
    sentAt: undefined,
    ...(isReaddressed && {
      link,
      token: giftToken(order.id, link),
      addressed: { ...gift.addressed, at },
      declinedAt: undefined,
    }),
  };
  const by: Actor = { role: 'customer', name: order.customer.name };
  return withLine({ record: { ...order, gift: changed } }, { at, type: 'gift_changed', by });
}

/**
 * Sends a delivered gift once more, unless nobody is to plant it.
 * @throws Problem of `givenGift`, `gift-claimed`, `gift-not-sent` or `gift-sent-today`
 */
export function decideSendAgain(order: Order, at: string): Change<Order> {
  const gift = givenGift(order);
  if (isStopped(order)) throw new Problem('gift-cancelled');
  if (gift.claim) throw new Problem('gift-claimed');
  if (gift.state !== 'sent' || gift.recipientEmail === null || gift.declinedAt !== undefined)
    throw new Problem('gift-not-sent');
  const dayOf = (instant: string) => dayIn(new Date(instant), gift.timeZone);
  const lastAt = [gift.sentAt, gift.sentAgainAt]
    .filter((one) => one !== undefined)
    .sort()
    .at(-1);
  if (lastAt !== undefined && dayOf(lastAt) === dayOf(at)) throw new Problem('gift-sent-today');
  const again = { ...gift, revision: gift.revision + 1, deliverAt: at, sentAgainAt: at };
  const { type, data } = scheduledEvent(order, again, at);
  const by: Actor = { role: 'customer', name: order.customer.name };
  return {
    ...withLine({ record: { ...order, gift: again } }, { at, type: 'gift_sent_again', by }),
    events: [{ type, data: { ...data, again: true } }],
  };
}

/**
 * A mail server accepted the gift, or the day of one to hand over came. An email that was already on its way when the gift
 * changed counts, unless it went to another address.
 * @throws Error when the order has not arrived yet; the event is retried
 */
export function decideDelivery(
  current: Order | undefined,
  { orderId, revision, at }: EventData<'gift.delivered'>,
): Change<Order> | undefined {
  if (!current) throw notYet(orderId);
  const { gift } = current;
  if (!gift || gift.erasedAt !== undefined) return undefined;
  if (revision < gift.addressed.revision || revision <= gift.settledRevision) return undefined;
  const delivered: OrderGift = { ...gift, state: 'sent', sentAt: at, settledRevision: revision };
  return withLine({ record: { ...current, gift: delivered } }, { at, type: 'gift_sent', by: SYSTEM });
}

/**
 * The gift did not arrive, which may become known after a mail server accepted it.
 * @throws Error when the order has not arrived yet; the event is retried
 */
export function decideBounce(
  current: Order | undefined,
  { orderId, revision, reason, at }: EventData<'gift.bounced'>,
): Change<Order> | undefined {
  if (!current) throw notYet(orderId);
  const { gift } = current;
  if (!gift || gift.erasedAt !== undefined || gift.state === 'cancelled') return undefined;
  // A claimed gift reached its recipient another way, unless they refused the email before its day.
  if (gift.claim && gift.state !== 'waiting') return undefined;
  const isLate =
    revision < gift.settledRevision || (revision === gift.settledRevision && gift.state !== 'sent');
  if (revision < gift.addressed.revision || isLate) return undefined;
  const bounced: OrderGift = { ...gift, state: reason, settledRevision: revision };
  return withLine(
    { record: { ...current, gift: bounced } },
    { at, type: 'gift_bounced', by: SYSTEM, reason },
  );
}

/** @throws Problem of `paidGift`, or `gift-claimed` when another account has it */
export function decideClaim(
  order: Order,
  by: { accountId: string; name: string; email: string; language: Language; at: string },
): Change<Order> | undefined {
  const gift = paidGift(order);
  const { accountId, at } = by;
  if (gift.claim?.accountId === accountId) return undefined;
  if (gift.claim) throw new Problem('gift-claimed');
  const claimed: OrderGift = { ...gift, claim: { accountId, at } };
  return {
    ...withLine({ record: { ...order, gift: claimed } }, { at, type: 'gift_claimed', by: RECIPIENT }),
    events: [{ type: 'gift.claimed', data: { orderId: order.id, ...by } }],
  };
}

/** @throws Problem of `paidGift`, or `gift-thanked` the second time */
export function decideThanks(order: Order, { text, at }: { text: string; at: string }): Change<Order> {
  const gift = paidGift(order);
  if (gift.thanks) throw new Problem('gift-thanked');
  const thanked: OrderGift = { ...gift, thanks: { text, at } };
  return {
    ...withLine({ record: { ...order, gift: thanked } }, { at, type: 'gift_thanked', by: RECIPIENT }),
    events: [{ type: 'gift.thanked', data: { orderId: order.id, text, from: gift.recipientName, at } }],
  };
}

/** No more gifts by email to this address. A second time changes nothing. @throws Problem of `giftOf`, and `order-unpaid` */
export function decideDecline(order: Order, at: string): Change<Order> | undefined {
  const gift = giftOf(order);
  // Nobody was sent anything.
  if (!isPaid(order)) throw new Problem('order-unpaid');
  if (gift.declinedAt !== undefined) return undefined;
  const declined: OrderGift = { ...gift, declinedAt: at };
  return {
    ...withLine({ record: { ...order, gift: declined } }, { at, type: 'gift_declined', by: RECIPIENT }),
    events: [{ type: 'gift.declined', data: { orderId: order.id, at } }],
  };
}

/**
 * Erases the recipient, by the account that has the gift or by the address it was for; trees and buyer stay. A gift that
 * another account has loses only name and address.
 */
export function decideRecipientErasure(
  current: Order | undefined,
  { accountId, email, at }: { accountId: string; email?: string | undefined; at: string },
): Change<Order> | undefined {
  const gift = current?.gift;
  if (!gift || gift.erasedAt !== undefined) return undefined;
  const isClaimant = gift.claim?.accountId === accountId;
  const isAddressee =
    email !== undefined && gift.recipientEmail === email.toLowerCase() && gift.addressed.at <= at;
  if (!isClaimant && !isAddressee) return undefined;
  const nameless: OrderGift = {
    ...gift,
    recipientName: ERASED_CUSTOMER.name,
    recipientEmail: null,
    thanks: undefined,
  };
  const line: TimelineEntry = { at, type: 'gift_erased', by: RECIPIENT };
  if (gift.claim && !isClaimant) return withLine({ record: { ...current, gift: nameless } }, line);
  const { certificate } = current;
  const record = certificate?.namedByRecipient
    ? { ...current, certificate: { ...certificate, name: null } }
    : current;
  const erased: OrderGift = {
    ...nameless,
    message: '',
    claim: undefined,
    ...(gift.state === 'waiting' && { state: 'cancelled' as const }),
    revision: gift.revision + 1,
    erasedAt: at,
  };
  return withEvent(withLine({ record }, line), erased, cancelledEvent, at);
}
