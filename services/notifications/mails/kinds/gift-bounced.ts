import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OfGift, OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order } from '../samples.ts';

type Facts = OrderFacts & OfGift;

export const giftBounced: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: {
    ...order,
    gift: { recipientName: 'Mateo Ríos', recipientEmail: 'mateo.rios@example.org' },
  },

  en: (facts) => ({
    subject: `Your gift did not arrive · order ${shortId(facts.orderId)}`,
    preview: 'The address does not work. You can correct it.',
    title: `Your gift to ${en.named(facts.gift)} did not arrive.`,
    paragraphs: [
      'The email came back: this address does not exist, or accepts no email at the moment.',
      'Open your order at its private link and correct the address. The gift is then sent again, with a new link. Or choose to hand it over yourself, with the card as a PDF.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['For', facts.gift?.recipientName],
      ['Address', facts.gift?.recipientEmail],
    ],
    action: 'Correct the address',
    note: en.NOTES.donor,
  }),

  es: (facts) => ({
    subject: `Tu regalo no llegó · pedido ${shortId(facts.orderId)}`,
    preview: 'La dirección no funciona. La puedes corregir.',
    title: `Tu regalo para ${es.named(facts.gift)} no llegó.`,
    paragraphs: [
      'El correo fue devuelto: esa dirección no existe o no recibe correos en este momento.',
      'Abre tu pedido con el enlace privado y corrige la dirección. El regalo se envía de nuevo, con otro enlace. O elige entregarlo tú, con la tarjeta en PDF.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Para', facts.gift?.recipientName],
      ['Dirección', facts.gift?.recipientEmail],
    ],
    action: 'Corregir la dirección',
    note: es.NOTES.donor,
  }),
};
