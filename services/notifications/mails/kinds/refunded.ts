import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { Money, OfPackage, OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order, paid } from '../samples.ts';

/** `isFull`: nothing of the money is left. */
type Facts = OrderFacts &
  Money &
  OfPackage & {
    refundedMinor: number;
    isFull: boolean;
    isPlanted: boolean;
    refundedAt: string;
    byHand?: true | undefined;
    /** The donor withdrew from the purchase. */
    isWithdrawal?: true | undefined;
  };

export const refunded: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: {
    ...order,
    ...paid,
    refundedMinor: paid.amountMinor,
    isFull: true,
    isPlanted: false,
    refundedAt: '2026-11-23T15:00:00Z',
  },

  en: (facts) => ({
    subject: `Refund of ${en.words.money(facts)} · order ${shortId(facts.orderId)}`,
    preview: 'The money is on its way back to you.',
    title: `We have sent ${en.words.money(facts)} back to you.`,
    paragraphs: [
      facts.byHand
        ? 'We sent it to you directly, for example by bank transfer.'
        : 'It goes back to the card you paid with. Most banks show it within 5 to 10 working days.',
      ...en.whatFollows(facts),
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Package', facts.photoPackage && en.PACKAGES[facts.photoPackage.photoPackageType]],
      ['Refund', en.words.money(facts)],
      [
        'Refunded in all',
        facts.refundedMinor === facts.amountMinor
          ? undefined
          : en.words.money({ amountMinor: facts.refundedMinor, currency: facts.currency }),
      ],
      ['Date', en.words.day(facts.refundedAt)],
    ],
    action: 'See your order',
    note: en.noteOf(facts),
  }),

  es: (facts) => ({
    subject: `Devolución de ${es.words.money(facts)} · pedido ${shortId(facts.orderId)}`,
    preview: 'El dinero va de regreso a ti.',
    title: `Te devolvimos ${es.words.money(facts)}.`,
    paragraphs: [
      facts.byHand
        ? 'Te lo enviamos directamente, por ejemplo por transferencia bancaria.'
        : 'Vuelve al mismo medio con el que pagaste. La mayoría de los bancos lo muestra en 5 a 10 días hábiles.',
      ...es.whatFollows(facts),
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Paquete', facts.photoPackage && es.PACKAGES[facts.photoPackage.photoPackageType]],
      ['Devolución', es.words.money(facts)],
      [
        'Devuelto en total',
        facts.refundedMinor === facts.amountMinor
          ? undefined
          : es.words.money({ amountMinor: facts.refundedMinor, currency: facts.currency }),
      ],
      ['Fecha', es.words.day(facts.refundedAt)],
    ],
    action: 'Ver tu pedido',
    note: es.noteOf(facts),
  }),
};
