import type { FieldProblemType } from './problems.ts';
import type { Language } from './roles.ts';
import { dayIn, daysLater, instantIn } from './time-zone.ts';

/** Four drawings of ours. */
export const GIFT_CARDS = ['sapling', 'valley', 'forest', 'night'] as const;
export type GiftCard = (typeof GIFT_CARDS)[number];

/**
 * `waiting`: not sent yet, or its transfer is not approved yet. `sent`: a mail server accepted the email, or the card was for
 * the buyer to hand over and its day came. `bounced`: the address does not exist; the buyer can correct it. `refused`: the
 * recipient of that address wants no gifts by email. `cancelled`: refunded in full before the day.
 */
export const GIFT_STATES = ['waiting', 'sent', 'bounced', 'refused', 'cancelled'] as const;
export type GiftState = (typeof GIFT_STATES)[number];

export const MAX_GIFT_MESSAGE = 500;
export const MAX_THANKS = 300;
/** Days ahead that a gift may wait. */
const MAX_GIFT_DAYS = 365;
/** Hour of the day, in the buyer's time zone, at which a gift is sent. */
export const GIFT_HOUR = 9;
/** Gifts to one address on one day of delivery. */
export const MAX_GIFTS_TO_ADDRESS = 5;
/** Gifts of one buyer in 24 hours. */
export const MAX_GIFTS_OF_BUYER = 20;

/** A gift as its buyer enters it; `gift` in fields.ts is its schema. */
export interface Gift {
  recipientName: string;
  /** Null when the buyer hands the card over. */
  recipientEmail: string | null;
  message: string;
  /** The recipient's language. */
  language: Language;
  card: GiftCard;
  /** "2026-12-24", in the buyer's time zone. */
  deliverOn: string;
  /** The buyer's IANA time zone. */
  timeZone: string;
}

type Day = Pick<Gift, 'deliverOn' | 'timeZone'>;

/** First and last day that a buyer in this time zone may choose. */
export function giftDays(timeZone: string, now: Date): { first: string; last: string } {
  const first = dayIn(now, timeZone);
  return { first, last: daysLater(first, MAX_GIFT_DAYS) };
}

/** @returns undefined for a day that may be chosen now */
export function giftDayProblem({ deliverOn, timeZone }: Day, now: Date): FieldProblemType | undefined {
  const { first, last } = giftDays(timeZone, now);
  if (deliverOn < first) return 'gift-day-past';
  return deliverOn > last ? 'gift-day-too-far' : undefined;
}

/** When a gift is sent: in the morning of its day, or at once when that has passed. */
export function giftMoment({ deliverOn, timeZone }: Day, now: Date): Date {
  const morning = instantIn(deliverOn, GIFT_HOUR, timeZone);
  return morning > now ? morning : now;
}
