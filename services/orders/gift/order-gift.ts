import { type Gift, giftMoment, type GiftState } from '@arboleda/contracts/gift.ts';

/** A gift as its buyer wrote it, with its delivery and its claim. */
export interface OrderGift extends Gift {
  /** Number of the link to the recipient's page. A new address gets the next one. */
  link: number;
  /** The token in that link. */
  token: string;
  state: GiftState;
  /** Number of the latest gift.scheduled or gift.cancelled; 0 before the first. */
  revision: number;
  /** The first revision with the current address, and when the buyer gave that address. */
  addressed: { revision: number; at: string };
  /** The latest revision that was delivered or bounced; 0 before the first. */
  settledRevision: number;
  deliverAt: string;
  sentAt?: string | undefined;
  /** When its buyer last sent it again. */
  sentAgainAt?: string | undefined;
  /** The recipient's account. */
  claim?: { accountId: string; at: string } | undefined;
  thanks?: { text: string; at: string } | undefined;
  declinedAt?: string | undefined;
  /** The recipient was erased. */
  erasedAt?: string | undefined;
}

export const FIRST_LINK = 1;

/** @param token of the first link */
export const newGift = (gift: Gift, token: string, at: string): OrderGift => ({
  ...gift,
  link: FIRST_LINK,
  token,
  state: 'waiting',
  revision: 0,
  addressed: { revision: 1, at },
  settledRevision: 0,
  deliverAt: giftMoment(gift, new Date(at)).toISOString(),
});
