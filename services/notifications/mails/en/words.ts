import { wordsIn } from '../words.ts';

export const words = wordsIn('en');

export const trees = (count: number): string => words.counted(count, 'tree', 'trees');
/** "your tree", "your 5 trees" */
export const yourTrees = (count: number): string => (count === 1 ? 'your tree' : `your ${trees(count)}`);
export const photos = (count: number): string => words.counted(count, 'photo', 'photos');

export const NOTES = {
  donor:
    'You are receiving this email because trees were bought with this address. The link is private: whoever has it sees your order.',
  worker: 'You are receiving this email because you plant with Arboleda.',
  link: 'If you did not ask for this, ignore this email and do not use the link. Nothing will change.',
};
