import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { Money, OfGift, OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order, paid } from '../samples.ts';
import { addressed } from '../words.ts';

type Facts = OrderFacts & Money & OfGift & { referenceNumber?: string | undefined; submittedAt: string };

export const transferReceived: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: {
    ...order,
    ...paid,
    referenceNumber: 'ARB-9F3C1A',
    submittedAt: '2026-11-21T20:00:00Z',
  },

  en: (facts, name) => ({
    subject: `We have your transfer · order ${shortId(facts.orderId)}`,
    preview: 'Your order will be verified within 24-48 hours.',
    title: `${addressed('Thank you', name)}. Your transfer is being verified.`,
    paragraphs: [
      'Your order will be verified within 24-48 hours: one of us checks the account for your payment. You don’t need to do anything. We’ll write to you as soon as we find it.',
      ...en.givenTo(facts.gift),
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', en.trees(facts.trees)],
      ['Amount', en.words.money(facts)],
      ['Reference', facts.referenceNumber],
      ['Sent', en.words.day(facts.submittedAt)],
    ],
    action: 'Follow your order',
    note: en.NOTES.donor,
  }),

  es: (facts, name) => ({
    subject: `Recibimos tu transferencia · pedido ${shortId(facts.orderId)}`,
    preview: 'Verificamos tu pedido en 24 a 48 horas.',
    title: `${addressed('Gracias', name)}. Estamos verificando tu transferencia.`,
    paragraphs: [
      'Verificamos tu pedido en 24 a 48 horas: uno de nosotros busca tu pago en la cuenta. No tienes que hacer nada más. Te escribimos apenas lo encontremos.',
      ...es.givenTo(facts.gift),
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', es.trees(facts.trees)],
      ['Valor', es.words.money(facts)],
      ['Referencia', facts.referenceNumber],
      ['Enviada', es.words.day(facts.submittedAt)],
    ],
    action: 'Seguir tu pedido',
    note: es.NOTES.donor,
  }),
};
