import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OfGift, OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order } from '../samples.ts';

/** The address wants no gifts. */
type Facts = OrderFacts & OfGift;

export const giftRefused: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: {
    ...order,
    gift: { recipientName: 'Mateo Ríos', recipientEmail: 'mateo.rios@example.org' },
  },

  en: (facts) => ({
    subject: `Your gift cannot go by email · order ${shortId(facts.orderId)}`,
    preview: 'You can hand the card over yourself.',
    title: `Your gift to ${en.named(facts.gift)} cannot go by email.`,
    paragraphs: [
      'The owner of this address asked us not to send gifts by email, from anyone.',
      'You can still give it: open your order at its private link, choose to hand it over yourself, and print the card.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['For', facts.gift?.recipientName],
      ['Address', facts.gift?.recipientEmail],
    ],
    action: 'Get the card',
    note: en.NOTES.donor,
  }),

  es: (facts) => ({
    subject: `Tu regalo no puede ir por correo · pedido ${shortId(facts.orderId)}`,
    preview: 'Puedes entregar la tarjeta tú.',
    title: `Tu regalo para ${es.named(facts.gift)} no puede ir por correo.`,
    paragraphs: [
      'La persona de esa dirección nos pidió no recibir regalos por correo, de nadie.',
      'Todavía lo puedes dar: abre tu pedido con el enlace privado, elige entregarlo tú e imprime la tarjeta.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Para', facts.gift?.recipientName],
      ['Dirección', facts.gift?.recipientEmail],
    ],
    action: 'Ver la tarjeta',
    note: es.NOTES.donor,
  }),
};
