import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { NOTES, trees, words, yourTrees } from './words.ts';

/** To the donor who withdraws from a purchase: the receipt has the request's content, day and hour. */
export const withdrawal: Texts<'withdrawal-requested' | 'withdrawal-retracted'> = {
  'withdrawal-requested': (facts, name) => ({
    subject: `You cancelled your purchase · order ${shortId(facts.orderId)}`,
    preview: `You’ll have all of your money back by ${words.colombianDay(facts.refundBy)}.`,
    title: 'We have your cancellation.',
    paragraphs: [
      `Nobody plants ${yourTrees(facts.trees)} from now on. By ${words.colombianDay(facts.refundBy)} at the latest you’ll have all of your money back, growth updates included, and we’ll email you when it is on its way.`,
      facts.byTransfer
        ? 'You paid by bank transfer, so we send it back by bank transfer, to the account it came from. To have it sent to another account of yours, write to us at the address below.'
        : 'It goes back to the card you paid with.',
      'If you change your mind, or if this was not you, you can keep your order on its page until the refund begins.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', trees(facts.trees)],
      ['Paid', words.moneyIfKnown(facts)],
      ['Name', name],
      ['You asked us', 'To cancel this purchase and give all of the money back'],
      ['Received on', words.colombianMoment(facts.requestedAt)],
      ['Money back by', words.colombianDay(facts.refundBy)],
    ],
    action: 'See your order',
    note: NOTES.donor,
  }),

  'withdrawal-retracted': (facts) => ({
    subject: `You keep your order · order ${shortId(facts.orderId)}`,
    preview: `${trees(facts.trees)} will be planted after all.`,
    title: `You keep ${yourTrees(facts.trees)}.`,
    paragraphs: [
      'Your cancellation no longer counts, and no money goes back. Next, we choose a field worker and email you their name.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', trees(facts.trees)],
      ['Date', words.day(facts.retractedAt)],
    ],
    action: 'Follow your order',
    note: NOTES.donor,
  }),
};
