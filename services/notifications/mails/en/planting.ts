import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { firstName, point } from '../words.ts';
import { photoPath, PLANTED_DRAWING } from '../links.ts';
import { NOTES, noteOf, photos, trees, words, yourTrees } from './words.ts';

/** To the donor: assignment, planting, photos and completion. */
export const planting: Texts<'assigned' | 'planted' | 'photos' | 'completed'> = {
  assigned(facts) {
    const { planter, previous } = facts;
    const does = facts.isPlanted ? 'now looks after' : 'will plant';
    const one = facts.trees === 1;
    return {
      subject: `${planter.name} ${does} ${yourTrees(facts.trees)}`,
      preview: `${firstName(planter.name) || planter.name} works in ${planter.region}.`,
      title: `${planter.name} ${does} ${yourTrees(facts.trees)}.`,
      paragraphs: [
        `${firstName(planter.name) || planter.name} works in ${planter.region} and ${
          previous === undefined ? 'has your order now' : `has taken over your order from ${previous}`
        }.${facts.isPlanted ? '' : ` As soon as your ${one ? 'tree is' : 'trees are'} in the ground, we’ll send you the place.`}`,
      ],
      rows: [
        ['Planter', planter.name],
        ['Region', planter.region],
        ['Order', shortId(facts.orderId)],
      ],
      action: 'See your order',
      note: NOTES.donor,
    };
  },

  planted(facts) {
    const { planter } = facts;
    const one = facts.trees === 1;
    const date = words.day(facts.plantedAt);
    const where = facts.place ?? planter?.region;
    return {
      subject: one ? 'Your tree is in the ground' : `Your ${trees(facts.trees)} are in the ground`,
      preview: planter ? `Planted by ${planter.name}, ${where}.` : `Planted on ${date}.`,
      title: one ? 'Your tree is in the ground.' : `Your ${trees(facts.trees)} are in the ground.`,
      paragraphs: [
        `${
          planter
            ? `${planter.name} planted ${one ? 'it' : 'them'}`
            : `${one ? 'It was' : 'They were'} planted`
        } on ${date}. Photos come next; we’ll write when the first ones are here.`,
      ],
      pictures: [
        {
          path: PLANTED_DRAWING,
          alt: 'Drawing of young trees in a green valley',
          caption: 'Drawing, not this place',
        },
      ],
      rows: [
        ['Place', where],
        ['Coordinates', facts.coordinates && point(facts.coordinates)],
        ['Planted by', planter?.name],
        ['Date', date],
        ['Order', shortId(facts.orderId)],
      ],
      action: one ? 'See where it grows' : 'See where they grow',
      note: noteOf(facts),
    };
  },

  photos(facts) {
    const single = facts.photos === 1;
    const whose = facts.trees === 1 ? 'your tree' : 'your trees';
    const counted = words.counted(facts.photos, 'new photo', 'new photos');
    return {
      subject: `${counted} of ${whose}`,
      preview: `Taken in the field, order ${shortId(facts.orderId)}.`,
      title: `${counted} of ${whose}.`,
      paragraphs: [
        `Taken in the field by the person who planted. ${
          single ? 'It is kept' : 'They are kept'
        } with ${facts.giftToken === undefined ? 'your order' : whose}, beside the map and the dates.`,
      ],
      pictures: facts.filenames.map((filename, at) => ({
        path: photoPath(filename),
        alt: `Photo ${at + 1} of ${facts.filenames.length}: ${whose}${facts.place ? `, ${facts.place}` : ''}`,
      })),
      rows: [
        ['Place', facts.place],
        ['Order', shortId(facts.orderId)],
        ['Trees', trees(facts.trees)],
        ['New', photos(facts.photos)],
      ],
      action: single ? 'See the photo' : 'See the photos',
      note: noteOf(facts),
    };
  },

  completed(facts) {
    const one = facts.trees === 1;
    const isGift = facts.giftToken !== undefined;
    return {
      subject: isGift
        ? `The planting of ${yourTrees(facts.trees)} is complete`
        : `Order ${shortId(facts.orderId)} is complete`,
      preview: `Place, dates and photos of ${yourTrees(facts.trees)} stay at your private link.`,
      title: isGift ? `The planting of ${yourTrees(facts.trees)} is complete.` : 'Your order is complete.',
      paragraphs: [
        `The work on ${yourTrees(facts.trees)} is done. Place, dates and photos stay at your private link; keep this email to come back to ${
          one ? 'it' : 'them'
        }.`,
      ],
      rows: [
        ['Order', shortId(facts.orderId)],
        ['Trees', trees(facts.trees)],
        ['Completed', words.day(facts.completedAt)],
      ],
      action: one ? 'See your tree' : 'See your trees',
      note: noteOf(facts),
    };
  },
};
