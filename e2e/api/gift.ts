import type { Gift } from '@arboleda/contracts/gift.ts';
import { pastMorning } from '../harness/past-morning.ts';

/** A gift that is delivered at once, by hand unless it has an address. */
export const aGift = (changes: Partial<Gift> = {}): Gift => ({
  recipientName: 'Olga Prueba',
  recipientEmail: null,
  message: 'For your birthday.',
  language: 'en',
  card: 'valley',
  ...pastMorning(),
  ...changes,
});
