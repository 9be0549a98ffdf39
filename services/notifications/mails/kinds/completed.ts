import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order } from '../samples.ts';

type Facts = OrderFacts & { completedAt: string };

export const completed: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: { ...order, completedAt: '2026-12-01T20:00:00Z' },

  en(facts) {
    const one = facts.trees === 1;
    const isGift = facts.giftToken !== undefined;
    return {
      subject: isGift
        ? `The planting of ${en.yourTrees(facts.trees)} is complete`
        : `Order ${shortId(facts.orderId)} is complete`,
      preview: `Place, dates and photos of ${en.yourTrees(facts.trees)} stay at your private link.`,
      title: isGift ? `The planting of ${en.yourTrees(facts.trees)} is complete.` : 'Your order is complete.',
      paragraphs: [
        `The work on ${en.yourTrees(facts.trees)} is done. Place, dates and photos stay at your private link; keep this email to come back to ${
          one ? 'it' : 'them'
        }.`,
      ],
      rows: [
        ['Order', shortId(facts.orderId)],
        ['Trees', en.trees(facts.trees)],
        ['Completed', en.words.day(facts.completedAt)],
      ],
      action: one ? 'See your tree' : 'See your trees',
      note: en.noteOf(facts),
    };
  },

  es(facts) {
    const one = facts.trees === 1;
    const isGift = facts.giftToken !== undefined;
    return {
      subject: isGift
        ? `La siembra de ${es.yourTrees(facts.trees)} está completa`
        : `El pedido ${shortId(facts.orderId)} está completo`,
      preview: `El lugar, las fechas y las fotos de ${es.yourTrees(facts.trees)} siguen en tu enlace privado.`,
      title: isGift
        ? `La siembra de ${es.yourTrees(facts.trees)} está completa.`
        : 'Tu pedido está completo.',
      paragraphs: [
        `La siembra de ${es.yourTrees(facts.trees)} quedó completa. El lugar, las fechas y las fotos siguen en tu enlace privado; guarda este correo para volver a ${
          one ? 'verlo' : 'verlos'
        }.`,
      ],
      rows: [
        ['Pedido', shortId(facts.orderId)],
        ['Árboles', es.trees(facts.trees)],
        ['Completado', es.words.day(facts.completedAt)],
      ],
      action: one ? 'Ver tu árbol' : 'Ver tus árboles',
      note: es.noteOf(facts),
    };
  },
};
