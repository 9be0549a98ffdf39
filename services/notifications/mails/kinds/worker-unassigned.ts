import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { WorkFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { work } from '../samples.ts';
import { called } from '../words.ts';

type Facts = WorkFacts & {
  why: 'other-worker' | 'withdrawn' | 'held' | 'held-by-office' | 'taken-back';
  reason?: string | undefined;
};

export const workerUnassigned: Mail<Facts, 'worker'> = {
  audience: 'worker',
  sample: { ...work, why: 'other-worker', reason: 'Carlos está más cerca del lote.' },

  en: (facts, name) => ({
    subject: `No longer yours: order ${shortId(facts.orderId)}`,
    preview: en.WHY_NOT[facts.why],
    title: called(name, `order ${shortId(facts.orderId)} is no longer yours.`),
    paragraphs: [en.WHY_NOT[facts.why]],
    quote: facts.reason,
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', en.trees(facts.trees)],
    ],
    action: 'Open your portal',
    note: en.NOTES.worker,
  }),

  es: (facts, name) => ({
    subject: `Ya no es tuyo: pedido ${shortId(facts.orderId)}`,
    preview: es.WHY_NOT[facts.why],
    title: called(name, `el pedido ${shortId(facts.orderId)} ya no es tuyo.`),
    paragraphs: [es.WHY_NOT[facts.why]],
    quote: facts.reason,
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', es.trees(facts.trees)],
    ],
    action: 'Abrir tu portal',
    note: es.NOTES.worker,
  }),
};
