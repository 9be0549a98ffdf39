import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OfGift, OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order } from '../samples.ts';
import { withoutLinks } from '../words.ts';

type Facts = OrderFacts & OfGift;

export const giftThanks: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: {
    ...order,
    gift: { recipientName: 'Mateo Ríos', thanks: 'Qué regalo tan bonito. Iré a visitarlos.' },
  },

  en: (facts) => ({
    subject: `Thanks for your gift · order ${shortId(facts.orderId)}`,
    preview: `${en.words.capitalised(en.named(facts.gift))} wrote to you.`,
    title: `${en.words.capitalised(en.named(facts.gift))} says thanks.`,
    paragraphs: [
      withoutLinks(facts.gift?.thanks) ? 'This is what they wrote:' : 'They thank you for your gift.',
    ],
    quote: withoutLinks(facts.gift?.thanks) || undefined,
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', en.trees(facts.trees)],
    ],
    action: 'See your order',
    note: en.NOTES.donor,
  }),

  es: (facts) => ({
    subject: `Gracias por tu regalo · pedido ${shortId(facts.orderId)}`,
    preview: `${es.words.capitalised(es.named(facts.gift))} te escribió.`,
    title: `${es.words.capitalised(es.named(facts.gift))} te da las gracias.`,
    paragraphs: [withoutLinks(facts.gift?.thanks) ? 'Te escribió esto:' : 'Te agradece tu regalo.'],
    quote: withoutLinks(facts.gift?.thanks) || undefined,
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', es.trees(facts.trees)],
    ],
    action: 'Ver tu pedido',
    note: es.NOTES.donor,
  }),
};
