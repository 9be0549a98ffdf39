import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { Money, OfPackage, OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order, paid } from '../samples.ts';

type Facts = OrderFacts & Money & OfPackage & { failedAt: string };

export const refundFailed: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: { ...order, ...paid, failedAt: '2026-12-02T15:00:00Z' },

  en: (facts) => ({
    subject: `Your refund of ${en.words.money(facts)} did not arrive · order ${shortId(facts.orderId)}`,
    preview: 'Your bank sent the money back to us. We are looking for another way.',
    title: `Your bank sent ${en.words.money(facts)} back to us.`,
    paragraphs: [
      'We had sent this refund, but your bank did not accept it. This happens when a card has expired or an account is closed.',
      'The money is safe with us, and our team is looking for another way to return it. To speed this up, write to us at the address below and say where we should send it.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Package', facts.photoPackage && en.PACKAGES[facts.photoPackage.photoPackageType]],
      ['Refund', en.words.money(facts)],
      ['Date', en.words.day(facts.failedAt)],
    ],
    action: 'See your order',
    note: en.noteOf(facts),
  }),

  es: (facts) => ({
    subject: `Tu devolución de ${es.words.money(facts)} no llegó · pedido ${shortId(facts.orderId)}`,
    preview: 'Tu banco nos regresó el dinero. Buscamos otra forma de enviártelo.',
    title: `Tu banco nos regresó ${es.words.money(facts)}.`,
    paragraphs: [
      'Te habíamos enviado esta devolución, pero tu banco no la aceptó. Pasa cuando una tarjeta está vencida o una cuenta está cerrada.',
      'Tenemos tu dinero, y nuestro equipo busca otra forma de devolvértelo. Para que sea más rápido, escríbenos al correo que está abajo y dinos a dónde enviarlo.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Paquete', facts.photoPackage && es.PACKAGES[facts.photoPackage.photoPackageType]],
      ['Devolución', es.words.money(facts)],
      ['Fecha', es.words.day(facts.failedAt)],
    ],
    action: 'Ver tu pedido',
    note: es.noteOf(facts),
  }),
};
