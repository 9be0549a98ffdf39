import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { addressed, cardName } from '../words.ts';
import type { MailFacts, Planter } from '../facts.ts';
import { givenTo } from './gift.ts';
import { PACKAGES } from './growth.ts';
import { NOTES, noteOf, trees, words, yourTrees } from './words.ts';

/** In a receipt that names the worker. */
const willPlant = ({ name, region }: Planter, count: number): string =>
  `${name}, who works in ${region}, will plant ${yourTrees(count)}. As soon as ${count === 1 ? 'it is' : 'they are'} in the ground, we’ll send you the place.`;

/** To the donor: payments, refunds and disputes. */
export const payment: Texts<
  | 'receipt'
  | 'transfer-received'
  | 'transfer-approved'
  | 'transfer-rejected'
  | 'refunded'
  | 'refund-failed'
  | 'dispute-lost'
> = {
  receipt(facts, name) {
    const paid = words.money(facts);
    const one = facts.trees === 1;
    return {
      subject: `Receipt for ${trees(facts.trees)} · order ${shortId(facts.orderId)}`,
      preview: facts.planter
        ? `${paid} received. ${facts.planter.name} will plant ${yourTrees(facts.trees)}.`
        : `${paid} received. Next we find who plants your ${one ? 'tree' : 'trees'}.`,
      title: `${addressed('Thank you', name)}. We have your payment for ${yourTrees(facts.trees)}.`,
      paragraphs: [
        facts.planter
          ? willPlant(facts.planter, facts.trees)
          : `Next, we choose a field worker and email you their name, and again when your ${
              one ? 'tree is' : 'trees are'
            } in the ground.`,
        ...givenTo(facts.gift),
      ],
      rows: [
        ['Receipt number', facts.receiptNumber],
        ['Order', shortId(facts.orderId)],
        ['Trees', trees(facts.trees)],
        ['Paid', paid],
        ['Card', facts.card && cardName(facts.card)],
        ['Date', words.day(facts.paidAt)],
        ['Planter', facts.planter?.name],
        ['Region', facts.planter?.region],
        ['Transaction', facts.transactionId],
      ],
      action: 'Follow your order',
      note: NOTES.donor,
    };
  },

  'transfer-received': (facts, name) => ({
    subject: `We have your transfer · order ${shortId(facts.orderId)}`,
    preview: 'Your order will be verified within 24-48 hours.',
    title: `${addressed('Thank you', name)}. Your transfer is being verified.`,
    paragraphs: [
      'Your order will be verified within 24-48 hours: one of us checks the account for your payment. You don’t need to do anything. We’ll write to you as soon as we find it.',
      ...givenTo(facts.gift),
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', trees(facts.trees)],
      ['Amount', words.money(facts)],
      ['Reference', facts.referenceNumber],
      ['Sent', words.day(facts.submittedAt)],
    ],
    action: 'Follow your order',
    note: NOTES.donor,
  }),

  'transfer-approved'(facts, name) {
    return {
      subject: `Transfer approved: ${trees(facts.trees)} · order ${shortId(facts.orderId)}`,
      preview: `${words.money(facts)} arrived. This is your receipt.`,
      title: `${addressed('Thank you', name)}. Your transfer has arrived.`,
      paragraphs: [
        `We have your payment for ${yourTrees(facts.trees)}.${facts.planter ? '' : ' Next, we choose a field worker and email you their name.'}`,
        ...(facts.planter ? [willPlant(facts.planter, facts.trees)] : []),
        ...givenTo(facts.gift),
      ],
      rows: [
        ['Receipt number', facts.receiptNumber],
        ['Order', shortId(facts.orderId)],
        ['Trees', trees(facts.trees)],
        ['Paid', words.money(facts)],
        ['Method', 'Bank transfer'],
        ['Approved', words.day(facts.approvedAt)],
        ['Planter', facts.planter?.name],
        ['Region', facts.planter?.region],
        ['Transaction', facts.transactionId],
      ],
      action: 'Follow your order',
      note: NOTES.donor,
    };
  },

  'transfer-rejected': (facts) => ({
    subject: `We could not verify your transfer · order ${shortId(facts.orderId)}`,
    preview: 'This is why, and how to try again.',
    title: 'We could not verify your transfer.',
    paragraphs: [
      'This is what the person who looked for it wrote:',
      'To try again, order once more and add a clear picture of your bank’s confirmation, with the amount, the date and the reference in it. If the money has left your account already, use the confirmation you have: nothing needs to be paid twice.',
    ],
    quote: facts.reason,
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', trees(facts.trees)],
    ],
    action: 'Try again',
    note: NOTES.donor,
  }),

  refunded: (facts) => ({
    subject: `Refund of ${words.money(facts)} · order ${shortId(facts.orderId)}`,
    preview: 'The money is on its way back to you.',
    title: `We have sent ${words.money(facts)} back to you.`,
    paragraphs: [
      facts.byHand
        ? 'We sent it to you directly, for example by bank transfer.'
        : 'It goes back to the card you paid with. Most banks show it within 5 to 10 working days.',
      ...whatFollows(facts),
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Package', facts.photoPackage && PACKAGES[facts.photoPackage.photoPackageType]],
      ['Refund', words.money(facts)],
      [
        'Refunded in all',
        facts.refundedMinor === facts.amountMinor
          ? undefined
          : words.money({ amountMinor: facts.refundedMinor, currency: facts.currency }),
      ],
      ['Date', words.day(facts.refundedAt)],
    ],
    action: 'See your order',
    note: noteOf(facts),
  }),

  'dispute-lost': (facts) => ({
    subject: `Your bank took back ${words.money(facts)} · order ${shortId(facts.orderId)}`,
    preview: 'What this means for your order.',
    title: `Your bank took back ${words.money(facts)}.`,
    paragraphs: [
      'You, or someone with your card, disputed this payment, and your bank decided to return the money to you.',
      ...whatFollows(facts),
      'If this is a mistake, write to us at the address below.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Package', facts.photoPackage && PACKAGES[facts.photoPackage.photoPackageType]],
      ['Amount', words.money(facts)],
      ['Date', words.day(facts.lostAt)],
    ],
    action: 'See your order',
    note: noteOf(facts),
  }),

  'refund-failed': (facts) => ({
    subject: `Your refund of ${words.money(facts)} did not arrive · order ${shortId(facts.orderId)}`,
    preview: 'Your bank sent the money back to us. We are looking for another way.',
    title: `Your bank sent ${words.money(facts)} back to us.`,
    paragraphs: [
      'We had sent this refund, but your bank did not accept it. This happens when a card has expired or an account is closed.',
      'The money is safe with us, and our team is looking for another way to return it. To speed this up, write to us at the address below and say where we should send it.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Package', facts.photoPackage && PACKAGES[facts.photoPackage.photoPackageType]],
      ['Refund', words.money(facts)],
      ['Date', words.day(facts.failedAt)],
    ],
    action: 'See your order',
    note: noteOf(facts),
  }),
};

type WentBack = Pick<
  MailFacts['refunded'],
  'isFull' | 'isPlanted' | 'trees' | 'photoPackage' | 'isWithdrawal'
>;

function whatFollows({ isFull, isPlanted, trees: count, photoPackage, isWithdrawal }: WentBack): string[] {
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
