import type { OrderFacts } from '../facts.ts';
import { wordsIn } from '../words.ts';

export const words = wordsIn('en');

export const trees = (count: number): string => words.counted(count, 'tree', 'trees');
/** "your tree", "your 5 trees" */
export const yourTrees = (count: number): string => (count === 1 ? 'your tree' : `your ${trees(count)}`);
export const photos = (count: number): string => words.counted(count, 'photo', 'photos');

export const NOTES = {
  donor:
    'You are receiving this email because trees were bought with this address. The link is private: whoever has it sees your order.',
  recipient:
    'You are receiving this email because these trees were given to you and you have them in your account. Whoever has the link sees them.',
  worker: 'You are receiving this email because you plant with Arboleda.',
  office: 'You are receiving this email because this is the organisation’s address in Arboleda.',
  link: 'If you did not ask for this, ignore this email and do not use the link. Nothing will change.',
};

/** Why a donor, or a gift's recipient, gets an email about trees. */
export const noteOf = ({ giftToken }: OrderFacts): string =>
  giftToken === undefined ? NOTES.donor : NOTES.recipient;
