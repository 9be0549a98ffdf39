import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { addressed, cardName } from '../words.ts';
import { NOTES, trees, words, yourTrees } from './words.ts';

/** To the donor: what became of their money. */
export const payment: Texts<
  'receipt' | 'transfer-received' | 'transfer-approved' | 'transfer-rejected' | 'refunded'
> = {
  receipt(facts, name) {
    const paid = words.money(facts);
    const one = facts.trees === 1;
    return {
      subject: `Receipt for ${trees(facts.trees)} · order ${shortId(facts.orderId)}`,
      preview: `${paid} received. Next we find who plants your ${one ? 'tree' : 'trees'}.`,
      title: `${addressed('Thank you', name)}. Your ${one ? 'tree is' : `${trees(facts.trees)} are`} paid for.`,
      paragraphs: [
        `Next, a field worker is chosen. We write to you with their name, and again when your ${
          one ? 'tree is' : 'trees are'
        } in the ground.`,
      ],
      rows: [
        ['Order', shortId(facts.orderId)],
        ['Trees', trees(facts.trees)],
        ['Paid', paid],
        ['Card', facts.card && cardName(facts.card)],
        ['Date', words.day(facts.paidAt)],
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
      'Your order will be verified within 24-48 hours: a person looks for your money in the account. You do not need to do anything. We write to you as soon as it is found.',
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
    const one = facts.trees === 1;
    return {
      subject: `Transfer approved: ${trees(facts.trees)} · order ${shortId(facts.orderId)}`,
      preview: `${words.money(facts)} arrived. This is your receipt.`,
      title: `${addressed('Thank you', name)}. Your transfer has arrived.`,
      paragraphs: [
        `We found your money, and your ${one ? 'tree is' : `${trees(facts.trees)} are`} paid for. Next, a field worker is chosen; we write to you with their name.`,
      ],
      rows: [
        ['Order', shortId(facts.orderId)],
        ['Trees', trees(facts.trees)],
        ['Paid', words.money(facts)],
        ['Method', 'Bank transfer'],
        ['Approved', words.day(facts.approvedAt)],
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

  refunded(facts) {
    const isAll = facts.isFull;
    return {
      subject: `Refund of ${words.money(facts)} · order ${shortId(facts.orderId)}`,
      preview: 'The money is on its way back to you.',
      title: `We have sent ${words.money(facts)} back to you.`,
      paragraphs: [
        'It goes the way it came. Most banks show it within 5 to 10 working days.',
        ...(isAll && !facts.isPlanted ? [`With all of it given back, ${yourTrees(facts.trees)} will not be planted.`] : []),
        ...(isAll && facts.isPlanted ? [`What is planted stays in the ground, and your private link keeps working.`] : []),
      ],
      rows: [
        ['Order', shortId(facts.orderId)],
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
      note: NOTES.donor,
    };
  },
}; // prettier-ignore
