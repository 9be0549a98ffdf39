import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order } from '../samples.ts';

type Facts = OrderFacts & { retractedAt: string };

export const withdrawalRetracted: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: { ...order, retractedAt: '2026-11-23T15:00:00Z' },

  en: (facts) => ({
    subject: `You keep your order · order ${shortId(facts.orderId)}`,
    preview: `${en.trees(facts.trees)} will be planted after all.`,
    title: `You keep ${en.yourTrees(facts.trees)}.`,
    paragraphs: [
      'Your cancellation no longer counts, and no money goes back. Next, we choose a field worker and email you their name.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', en.trees(facts.trees)],
      ['Date', en.words.day(facts.retractedAt)],
    ],
    action: 'Follow your order',
    note: en.NOTES.donor,
  }),

  es: (facts) => ({
    subject: `Conservas tu pedido · pedido ${shortId(facts.orderId)}`,
    preview: `${es.trees(facts.trees)}: la siembra sigue en pie.`,
    title: `Conservas ${es.yourTrees(facts.trees)}.`,
    paragraphs: [
      'Tu retracto ya no cuenta y no devolvemos dinero. Ahora buscamos quién siembra y te escribimos su nombre.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', es.trees(facts.trees)],
      ['Fecha', es.words.day(facts.retractedAt)],
    ],
    action: 'Seguir tu pedido',
    note: es.NOTES.donor,
  }),
};
