import { z } from 'zod';
import { email, freeText, language, personName } from './fields.ts';
import { isTimeZone } from './time-zone.ts';

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
export const MAX_GIFT_DAYS = 365;
/** Hour of the day, in the buyer's time zone, at which a gift is sent. */
export const GIFT_HOUR = 9;

const LINK = /(?:https?:\/\/|www\.|\b[a-z0-9-]+\.(?:com|net|org|co|io|info|app|link|shop|xyz)\b)/i;
const withoutLinks = (max: number) => freeText(max).refine((text) => !LINK.test(text), 'no-links');

/** What the buyer says of a gift, in the checkout and later. */
export const gift = z.object({
  recipientName: personName,
  /** Null: the buyer hands the card over. */
  recipientEmail: email.nullable(),
  message: withoutLinks(MAX_GIFT_MESSAGE),
  /** The recipient's. */
  language,
  card: z.enum(GIFT_CARDS),
  /** "2026-12-24", in the buyer's time zone: today to MAX_GIFT_DAYS ahead. */
  deliverOn: z.iso.date(),
  /** IANA, the buyer's. */
  timeZone: z.string().max(60).refine(isTimeZone),
});
export type Gift = z.infer<typeof gift>;
export const thanks = withoutLinks(MAX_THANKS).min(1);
