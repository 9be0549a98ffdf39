import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { called } from '../words.ts';
import { NOTES, trees, words } from './words.ts';

const WHY_NOT = {
  'other-worker': 'Another planter has it now. If you were on your way already, talk to the office first.',
  held: 'The donor cancelled the purchase. Please do not plant it.',
  'held-by-office': 'The office is checking the payment. Please do not plant it until we write to you again.',
  withdrawn: 'The payment was returned before anything was planted. Please do not plant it.',
  'taken-back': 'The office has taken it back. Please do not plant it until we write to you again.',
};

/** To a worker: assignments and growth visits. */
export const worker: Texts<'worker-assigned' | 'worker-unassigned' | 'growth-visit-due'> = {
  'worker-assigned': (facts, name) => ({
    subject: `New order: ${trees(facts.trees)} (${shortId(facts.orderId)})`,
    preview: `${facts.region}. The details are in your portal.`,
    title: called(name, `you have ${trees(facts.trees)} to plant.`),
    paragraphs: [
      'Your portal has the details. Once you have planted, mark it there and add the photos, with GPS turned on.',
    ],
    quote: facts.reason,
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', trees(facts.trees)],
      ['Region', facts.region],
      ['Assigned', words.day(facts.assignedAt)],
    ],
    action: 'Open your portal',
    note: NOTES.worker,
  }),

  'worker-unassigned': (facts, name) => ({
    subject: `No longer yours: order ${shortId(facts.orderId)}`,
    preview: WHY_NOT[facts.why],
    title: called(name, `order ${shortId(facts.orderId)} is no longer yours.`),
    paragraphs: [WHY_NOT[facts.why]],
    quote: facts.reason,
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', trees(facts.trees)],
    ],
    action: 'Open your portal',
    note: NOTES.worker,
  }),

  'growth-visit-due'(facts, name) {
    const again = facts.reminders > 0;
    const order = shortId(facts.orderId);
    return {
      subject: `${again ? 'Reminder: growth' : 'Growth'} visit ${facts.number} of ${facts.of} is due (${order})`,
      preview: `${trees(facts.trees)}, ${facts.location}.`,
      title: called(name, `${again ? 'a growth visit is still waiting' : 'it is time for a growth visit'}.`),
      paragraphs: [
        `Visit the ${facts.trees === 1 ? 'tree' : trees(facts.trees)} and take photos, with GPS turned on. The visit is done when the photos are in your portal.`,
      ],
      rows: [
        ['Due', words.day(facts.dueAt)],
        ['Place', facts.location],
        ['Order', order],
        ['Trees', trees(facts.trees)],
      ],
      action: 'Open your portal',
      note: NOTES.worker,
    };
  },
};
