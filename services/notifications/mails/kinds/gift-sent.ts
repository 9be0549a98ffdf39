import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OfGift, OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order } from '../samples.ts';

type Facts = OrderFacts & OfGift & { deliveredAt: string };

export const giftSent: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: { ...order, gift: { recipientName: 'Mateo Ríos' }, deliveredAt: '2026-12-24T14:00:00Z' },

  en: (facts) => ({
    subject: `Your gift was delivered · order ${shortId(facts.orderId)}`,
    preview: `The email to ${en.named(facts.gift)} went out.`,
    title: `Your gift to ${en.named(facts.gift)} was delivered.`,
    paragraphs: [
      'Their mail server accepted the email with your card. If they cannot find it, ask them to look in the spam folder; from your order you can send it again, once a day.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['For', facts.gift?.recipientName],
      ['Trees', en.trees(facts.trees)],
      ['Delivered', en.words.moment(facts.deliveredAt)],
    ],
    action: 'See your order',
    note: en.NOTES.donor,
  }),

  es: (facts) => ({
    subject: `Tu regalo se entregó · pedido ${shortId(facts.orderId)}`,
    preview: `Ya salió el correo para ${es.named(facts.gift)}.`,
    title: `Tu regalo para ${es.named(facts.gift)} se entregó.`,
    paragraphs: [
      'Su servidor de correo recibió el mensaje con tu tarjeta. Si no lo encuentra, pídele que mire en el correo no deseado; desde tu pedido lo puedes reenviar, una vez al día.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Para', facts.gift?.recipientName],
      ['Árboles', es.trees(facts.trees)],
      ['Entregado', es.words.moment(facts.deliveredAt)],
    ],
    action: 'Ver tu pedido',
    note: es.NOTES.donor,
  }),
};
