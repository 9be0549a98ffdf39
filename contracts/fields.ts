import { z } from 'zod';
import { CURRENCIES } from './countries.ts';
import { GIFT_CARDS, MAX_GIFT_MESSAGE, MAX_THANKS } from './gift.ts';
import { hasLink } from './links.ts';
import { MAX_AMOUNT_MINOR } from './money.ts';
import { ORDER_STATUSES } from './order.ts';
import { MAX_TREES, PACKAGE_TYPES, PHOTO_PACKAGE_TYPES } from './packages.ts';
import { BANK_IDS, WIRE_TRANSFER_METHODS } from './payment-method.ts';
import { PHOTO_FLAGS } from './photo.ts';
import { ADMIN_ROLES } from './permissions.ts';
import { LANGUAGES, ROLES } from './roles.ts';
import { freeText, personName, requiredText } from './text.ts';
import { isTimeZone } from './time-zone.ts';

export { freeText, personName, requiredText } from './text.ts';

/** Fields with one meaning across all boundaries. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  // Addresses that people really have are fewer than RFC 5322 allows: a description of the API says which.
  .meta({ format: 'email', pattern: z.regexes.email.source })
  .pipe(z.email());
export const password = z
  .string()
  .min(10)
  .max(200)
  .meta({ description: 'One that is easy to guess is refused.' });
export const language = z.enum(LANGUAGES);
/** BCP 47 tag from a browser; languageOf maps it to a supported language. */
export const localeTag = z.string().max(35);
export const role = z.enum(ROLES);
export const adminRole = z.enum(ADMIN_ROLES);
export const currency = z.enum(CURRENCIES);
export const packageType = z.enum(PACKAGE_TYPES);
export const photoPackageType = z.enum(PHOTO_PACKAGE_TYPES);
export const trees = z.int().min(1).max(MAX_TREES);
export const orderStatus = z.enum(ORDER_STATUSES);
export const bank = z.enum(BANK_IDS);
export const paymentMethod = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('card') }),
  z.object({ kind: z.literal('transfer'), bank }),
]);
export const wireMethod = z.enum(['stripe', ...WIRE_TRANSFER_METHODS]);
export const amountMinor = z.int().min(0);
/** An amount in a request. */
export const givenAmountMinor = amountMinor.max(MAX_AMOUNT_MINOR);
export const instant = z.iso.datetime();
/** 24 hexadecimal characters; people refer to an order by the last six. */
export const orderId = z.string().regex(/^[0-9a-f]{24}$/);
/** Permanent private link of an order: 128 random bits, base64url. */
export const orderToken = z.string().regex(/^[\w-]{22}$/);
export const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\w-]+$/);
export const coordinates = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});
export type Coordinates = z.infer<typeof coordinates>;

/** Reason of a decision: never empty. */
export const reason = requiredText(1000);

/** A file of transfer evidence under its uploader's filename. */
export const evidenceFile = z.object({
  /** For GET /api/admin/manual-payments/evidence/{filename}. */
  filename: z.string(),
  originalName: z.string(),
  /** Bytes. */
  fileSize: z.int().min(0),
});
export const photoFlag = z.enum(PHOTO_FLAGS);

/** Opaque position in a list. */
export const cursor = z
  .string()
  .max(400)
  .meta({ description: '`nextCursor` of the page before; anything else is refused.' });
export const pageLimit = (byDefault: number, max = 100) =>
  z.coerce.number().int().min(1).max(max).default(byDefault);

export const customer = z.object({
  name: personName,
  email: z.string(),
  phone: z.string().max(40).optional(),
  country: z.string().max(2).optional(),
});
export type Customer = z.infer<typeof customer>;

export const worker = z.object({
  workerId: id,
  /** The organization's code of the worker: "QU-014". */
  code: z.string(),
  name: personName,
  email: z.string(),
  region: z.string(),
});
export type Worker = z.infer<typeof worker>;

/** Author of an action: a person, or the product itself. */
export const actor = z.object({
  role: z.enum([...ROLES, 'system']),
  id: id.optional(),
  name: z.string().optional(),
});
export type Actor = z.infer<typeof actor>;

/** A gift as it is kept. What was accepted before a rule stays readable. */
export const gift = z.object({
  recipientName: personName,
  /** Null: the buyer hands the card over. */
  recipientEmail: email.nullable(),
  message: freeText(MAX_GIFT_MESSAGE),
  /** The recipient's. */
  language,
  card: z.enum(GIFT_CARDS),
  /** "2026-12-24", in the buyer's time zone: today to MAX_GIFT_DAYS ahead. */
  deliverOn: z.iso.date(),
  /** IANA, the buyer's. */
  timeZone: z.string().max(60).refine(isTimeZone),
});
/** Thanks of a gift's recipient to its buyer, as they are kept. */
export const thanks = requiredText(MAX_THANKS);

const saysLink = { params: { problem: 'no-links' } };
const WITHOUT_LINKS = { description: 'Without links, email addresses and phone numbers.' };
const isPlain = (text: string): boolean => !hasLink(text);

/** A gift as its buyer enters it, in the checkout or later: without links, as our emails carry its words. */
export const givenGift = gift.extend({
  recipientName: gift.shape.recipientName.refine(isPlain, saysLink).meta(WITHOUT_LINKS),
  message: gift.shape.message.refine(isPlain, saysLink).meta(WITHOUT_LINKS),
  timeZone: gift.shape.timeZone.meta({
    description: 'IANA name of the buyer’s time zone: "America/Bogota".',
  }),
});
export const givenThanks = thanks.refine(isPlain, saysLink).meta(WITHOUT_LINKS);
