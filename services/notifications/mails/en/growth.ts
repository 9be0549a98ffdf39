import { shortId } from '@arboleda/contracts/order.ts';
import { PHOTO_PACKAGES } from '@arboleda/contracts/packages.ts';
import type { Texts } from '../content.ts';
import { addressed, updateDates } from '../words.ts';
import { noteOf, photos, trees, words, yourTrees } from './words.ts';

export const PACKAGES = { first_year: 'First year', three_year: 'Three-year story', lifetime: 'Lifetime' };

/** To the donor: growth updates. */
export const growth: Texts<'photo-package' | 'growth-update'> = {
  'photo-package'(facts, name) {
    const { photoPackageType, startsAt } = facts;
    const updates: readonly number[] = PHOTO_PACKAGES[photoPackageType].months;
    return {
      subject: `${PACKAGES[photoPackageType]}: ${updates.length} growth updates · order ${shortId(facts.orderId)}`,
      preview: `${words.money(facts)} received. These are your dates.`,
      title: `${addressed('Thank you', name)}. You will see ${yourTrees(facts.trees)} grow.`,
      paragraphs: startsAt
        ? [
            `A planter visits ${yourTrees(facts.trees)} ${updates.length} times, in the months below, and takes photos. We’ll write to you after each visit.`,
          ]
        : [
            `Once ${yourTrees(facts.trees)} ${facts.trees === 1 ? 'is' : 'are'} in the ground, a planter visits ${updates.length} times and takes photos: ${when(updates)}. We’ll write to you after each visit.`,
          ],
      rows: [
        ['Package', PACKAGES[photoPackageType]],
        ...(startsAt ? words.monthsByYear(updateDates(photoPackageType, startsAt)) : []),
        ['Paid', words.money(facts)],
        ['Date', words.day(facts.purchasedAt)],
        ['Order', shortId(facts.orderId)],
        ['Transaction', facts.transactionId],
      ],
      action: facts.giftToken === undefined ? 'See your order' : `See ${yourTrees(facts.trees)}`,
      note: noteOf(facts),
    };
  },

  'growth-update': (facts) => ({
    subject: `Growth update ${facts.number} of ${facts.of}: ${yourTrees(facts.trees)}`,
    preview: `${photos(facts.photos)} by ${facts.planter.name}.`,
    title: `Growth update ${facts.number} of ${facts.of}.`,
    paragraphs: [
      `${facts.planter.name} has been to see ${yourTrees(facts.trees)} and took ${photos(facts.photos)}.${
        facts.number === facts.of
          ? ` This was the last update of ${facts.giftToken === undefined ? 'your' : 'the'} package.`
          : ''
      }`,
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', trees(facts.trees)],
      ['Visited by', facts.planter.name],
      ['Date', words.day(facts.visitedAt)],
    ],
    action: facts.photos === 1 ? 'See the photo' : 'See the photos',
    note: noteOf(facts),
  }),
};

/** "3, 6 and 12 months after planting", "at once and 6, 12 … months after planting" */
function when(months: readonly number[]): string {
  const later = `${words.list(months.filter((month) => month > 0))} months after planting`;
  return months.includes(0) ? `at once, then ${later}` : later;
}
