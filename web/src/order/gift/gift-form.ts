import {
  type Gift,
  type GiftCard,
  giftDayProblem,
  giftDays,
  MAX_GIFT_MESSAGE,
} from '@arboleda/contracts/gift.ts';
import { fieldProblemTitle } from '@arboleda/contracts/problems.ts';
import type { TFunction } from 'i18next';
import type { ProblemField } from '../../api/problem.ts';
import { asLanguage, type Language } from '../../i18n/languages.ts';
import { emailProblem, typedText } from '../../i18n/typed-text.ts';
import { fieldSentence } from '../../session/problem-text.ts';
import { hasLink, isTakenName } from './text-rules.ts';

/** A gift as typed; kept in the checkout's draft. */
export interface GiftForm {
  recipientName: string;
  recipientEmail: string;
  /** The buyer hands the card over. */
  byHand: boolean;
  message: string;
  /** The recipient's. */
  language: Language;
  card: GiftCard;
  /** "2026-12-24", or empty. */
  deliverOn: string;
}

export type GiftField = Exclude<keyof GiftForm, 'byHand'>;
export type GiftErrors = Partial<Record<GiftField, string>>;

/** Fields in the order of the form. */
const FIELDS: readonly GiftField[] = [
  'recipientName',
  'recipientEmail',
  'message',
  'language',
  'deliverOn',
  'card',
];

/** Paths of the fields in the server's problems. */
export const GIFT_PATHS = [...FIELDS, 'timeZone'].map((field) => `gift.${field}`);

export const emptyGift = (language: Language): GiftForm => ({
  recipientName: '',
  recipientEmail: '',
  byHand: false,
  message: '',
  language,
  card: 'sapling',
  deliverOn: '',
});

export const formOf = ({ timeZone: _zone, ...gift }: Gift): GiftForm => ({
  ...gift,
  recipientEmail: gift.recipientEmail ?? '',
  byHand: gift.recipientEmail === null,
});

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** First and last day that may be chosen here, and now. */
export const choosableDays = () => giftDays(ownTimeZone(), new Date());

export const giftOf = (form: GiftForm): Gift => ({
  recipientName: typedText(form.recipientName),
  recipientEmail: form.byHand ? null : typedText(form.recipientEmail).toLowerCase(),
  message: form.message.trim(),
  language: form.language,
  card: form.card,
  deliverOn: form.deliverOn,
  timeZone: ownTimeZone(),
});

/** The gift of a checkout as it is sent; undefined when the trees are for the buyer. */
export const giftToSend = (draft: {
  isGift?: boolean | undefined;
  gift?: GiftForm | undefined;
}): Gift | undefined => (draft.isGift && draft.gift ? giftOf(draft.gift) : undefined);

/** Errors that are found without the server, translated; empty when nothing is wrong. */
export function errorsOf(form: GiftForm, t: TFunction<'gift'>, language: Language): GiftErrors {
  const gift = giftOf(form);
  const address = form.byHand ? undefined : emailProblem(form.recipientEmail);
  const day = gift.deliverOn ? giftDayProblem(gift, new Date()) : undefined;
  return {
    ...(!gift.recipientName && { recipientName: t('form.nameMissing') }),
    ...(hasLink(gift.recipientName) && { recipientName: fieldProblemTitle('no-links', language) }),
    ...(address && { recipientEmail: t(`form.${address}`) }),
    ...(hasLink(gift.message) && { message: fieldProblemTitle('no-links', language) }),
    ...(gift.message.length > MAX_GIFT_MESSAGE && {
      message: t('form.tooLong', { count: MAX_GIFT_MESSAGE }),
    }),
    ...(!gift.deliverOn && { deliverOn: t('form.dayMissing') }),
    ...(day && { deliverOn: fieldProblemTitle(day, language) }),
  };
}

/** Why the buyer's name cannot be the sender of a gift, translated. */
export function senderProblem(name: string, language: Language): string | undefined {
  if (hasLink(name)) return fieldProblemTitle('no-links', language);
  return isTakenName(name) ? fieldProblemTitle('not-a-sender', language) : undefined;
}

/** The server's problems of a gift's fields. */
export function refusedFields(fields: readonly ProblemField[], language: string): GiftErrors {
  const page = asLanguage(language) ?? 'en';
  const errors: GiftErrors = {};
  for (const field of fields) {
    const name = FIELDS.find((one) => field.path === `gift.${one}`);
    if (name) errors[name] ??= fieldSentence(field, page);
  }
  return errors;
}

export const hasErrors = (errors: GiftErrors): boolean => Object.keys(errors).length > 0;
