import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { Money, OfPackage, OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order, paid } from '../samples.ts';

/** A bank took money back for good. */
type Facts = OrderFacts & Money & OfPackage & { isFull: boolean; isPlanted: boolean; lostAt: string };

export const disputeLost: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: { ...order, ...paid, isFull: true, isPlanted: false, lostAt: '2027-01-15T15:00:00Z' },

  en: (facts) => ({
    subject: `Your bank took back ${en.words.money(facts)} · order ${shortId(facts.orderId)}`,
    preview: 'What this means for your order.',
    title: `Your bank took back ${en.words.money(facts)}.`,
    paragraphs: [
      'You, or someone with your card, disputed this payment, and your bank decided to return the money to you.',
      ...en.whatFollows(facts),
      'If this is a mistake, write to us at the address below.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Package', facts.photoPackage && en.PACKAGES[facts.photoPackage.photoPackageType]],
      ['Amount', en.words.money(facts)],
      ['Date', en.words.day(facts.lostAt)],
    ],
    action: 'See your order',
    note: en.noteOf(facts),
  }),

  es: (facts) => ({
    subject: `Tu banco retiró ${es.words.money(facts)} · pedido ${shortId(facts.orderId)}`,
    preview: 'Qué significa para tu pedido.',
    title: `Tu banco retiró ${es.words.money(facts)}.`,
    paragraphs: [
      'Tú, o alguien con tu tarjeta, reclamó este pago, y tu banco decidió devolverte el dinero.',
      ...es.whatFollows(facts),
      'Si es un error, escríbenos al correo que está abajo.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Paquete', facts.photoPackage && es.PACKAGES[facts.photoPackage.photoPackageType]],
      ['Valor', es.words.money(facts)],
      ['Fecha', es.words.day(facts.lostAt)],
    ],
    action: 'Ver tu pedido',
    note: es.noteOf(facts),
  }),
};
