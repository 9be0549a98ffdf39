import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { NOTES, words } from './words.ts';

/** To the organisation's own address. */
export const office: Texts<'return-suspected'> = {
  'return-suspected': (facts) => ({
    subject: `The bank may have taken back ${words.money(facts)} · order ${shortId(facts.orderId)}`,
    preview: 'The order waits until you decide.',
    title: `The bank may have taken back the money of order ${shortId(facts.orderId)}.`,
    paragraphs: [
      `The bank’s statement has a debit of ${words.money(facts)} that looks like the return of this order’s transfer. If it is not planted yet, nobody plants it until an admin decides.`,
      'Open the debit. Say that the money went back, and the order counts as refunded; or that the debit is something else, and the order goes on.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Debit', words.money(facts)],
      ['Day of the debit', words.date(facts.day)],
    ],
    action: 'Decide on the debit',
    note: NOTES.office,
  }),
};
