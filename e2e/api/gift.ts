import type { Gift } from '@arboleda/contracts/gift.ts';

/** A gift that its buyer hands over today. */
export const aGift = (changes: Partial<Gift> = {}): Gift => ({
  recipientName: 'Olga Prueba',
  recipientEmail: null,
  message: 'For your birthday.',
  language: 'en',
  card: 'valley',
  deliverOn: new Date().toISOString().slice(0, 10),
  timeZone: 'UTC',
  ...changes,
});
