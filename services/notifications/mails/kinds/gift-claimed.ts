import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OfGift, OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order } from '../samples.ts';

type Facts = OrderFacts & OfGift & { claimedAt: string };

export const giftClaimed: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: { ...order, gift: { recipientName: 'Mateo Ríos' }, claimedAt: '2026-12-25T14:00:00Z' },

  en: (facts) => ({
    subject: `Your gift found its place · order ${shortId(facts.orderId)}`,
    preview: `It is in an account now.`,
    title: `Your gift to ${en.named(facts.gift)} is in an account now.`,
    paragraphs: [
      'From now on we also email its owner when there is something new about the trees. You keep getting these emails, and your order stays at your private link.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['For', facts.gift?.recipientName],
      ['Trees', en.trees(facts.trees)],
      ['Since', en.words.day(facts.claimedAt)],
    ],
    action: 'See your order',
    note: en.NOTES.donor,
  }),

  es: (facts) => ({
    subject: `Tu regalo ya tiene dueño · pedido ${shortId(facts.orderId)}`,
    preview: 'Ya está en una cuenta.',
    title: `Tu regalo para ${es.named(facts.gift)} ya está en una cuenta.`,
    paragraphs: [
      'Desde ahora le escribimos también a esa persona cuando haya novedades de los árboles. Tú sigues recibiéndolas, y tu pedido sigue en tu enlace privado.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Para', facts.gift?.recipientName],
      ['Árboles', es.trees(facts.trees)],
      ['Desde', es.words.day(facts.claimedAt)],
    ],
    action: 'Ver tu pedido',
    note: es.NOTES.donor,
  }),
};
