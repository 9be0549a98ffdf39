import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import type { GiftCard } from '@arboleda/contracts/gift.ts';
import { fullName, wordsIn } from './words.ts';
import type { OrderFacts, Planter, WentBack } from './facts.ts';
import type { Frame } from './mail.ts';
import { ORGANISATION } from '@arboleda/contracts/organisation.ts';

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

/** The same names as on the Admins tab. */
export const ADMIN_ROLE_NAMES: Record<AdminRole, string> = {
  owner: 'Owner',
  finance: 'Finance',
  coordinator: 'Coordinator',
  support: 'Support',
  auditor: 'Auditor',
};

export const DRAWINGS: Record<GiftCard, string> = {
  sapling: 'Drawing of a sapling before green mountains',
  valley: 'Drawing of a young tree among wax palms in a valley',
  forest: 'Drawing of a forest with trees in yellow flower',
  night: 'Drawing of a yellow guayacán in flower at night',
};

/** The recipient in an email to the buyer; erased recipients have no name. */
export const named = (gift: { recipientName: string } | undefined): string =>
  (gift && fullName(gift.recipientName)) || 'the recipient';

/** A line in the receipt of a gift. */
export const givenTo = (
  gift: { recipientName: string; deliverOn?: string | undefined } | undefined,
): string[] =>
  gift?.deliverOn === undefined ? [] : [`Your gift goes to ${named(gift)} on ${words.date(gift.deliverOn)}.`];

export const PACKAGES = { first_year: 'First year', three_year: 'Three-year story', lifetime: 'Lifetime' };

/** "3, 6 and 12 months after planting", "at once and 6, 12 … months after planting" */
export function when(months: readonly number[]): string {
  const later = `${words.list(months.filter((month) => month > 0))} months after planting`;
  return months.includes(0) ? `at once, then ${later}` : later;
}

/** In a receipt that names the worker. */
export const willPlant = ({ name, region }: Planter, count: number): string =>
  `${name}, who works in ${region}, will plant ${yourTrees(count)}. As soon as ${count === 1 ? 'it is' : 'they are'} in the ground, we’ll send you the place.`;

export function whatFollows({
  isFull,
  isPlanted,
  trees: count,
  photoPackage,
  isWithdrawal,
}: WentBack): string[] {
  if (photoPackage?.isSurplus) return ['The package could not be added to your order.'];
  if (!isFull) return [];
  if (photoPackage)
    return ['Growth visits that have not been made yet are cancelled. The photos you have stay.'];
  if (isWithdrawal && !isPlanted)
    return [`You cancelled this purchase, so ${yourTrees(count)} will not be planted.`];
  return isPlanted
    ? ['What is planted stays in the ground, and your private link keeps working.']
    : [`Because the full amount was returned, ${yourTrees(count)} will not be planted.`];
}

export const WHY_NOT = {
  'other-worker': 'Another planter has it now. If you were on your way already, talk to the office first.',
  held: 'The donor cancelled the purchase. Please do not plant it.',
  'held-by-office': 'The office is checking the payment. Please do not plant it until we write to you again.',
  withdrawn: 'The payment was returned before anything was planted. Please do not plant it.',
  'taken-back': 'The office has taken it back. Please do not plant it until we write to you again.',
};

export const frame: Frame = {
  motto: 'Native trees, planted in Colombia',
  spelledOut: 'If the button does not work, open this link:',
  orderLink: 'Your order, at its private link:',
  stopNews: 'No more emails about photos:',
  stopGifts: 'No more gifts by email, from anyone:',
  sender: (name) => `${name} via ${ORGANISATION.name}`,
  help: 'Help',
  privacy: 'Privacy',
  terms: 'Terms',
};
