import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OrderFacts, Planter, VisitNumber } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order, planter, visit } from '../samples.ts';

type Facts = OrderFacts & VisitNumber & { planter: Planter; photos: number; visitedAt: string };

export const growthUpdate: Mail<Facts, 'donor'> = {
  audience: 'donor',
  isNews: true,
  sample: { ...order, ...visit, planter, photos: 4, visitedAt: '2027-06-03T20:00:00Z' },

  en: (facts) => ({
    subject: `Growth update ${facts.number} of ${facts.of}: ${en.yourTrees(facts.trees)}`,
    preview: `${en.photos(facts.photos)} by ${facts.planter.name}.`,
    title: `Growth update ${facts.number} of ${facts.of}.`,
    paragraphs: [
      `${facts.planter.name} has been to see ${en.yourTrees(facts.trees)} and took ${en.photos(facts.photos)}.${
        facts.number === facts.of
          ? ` This was the last update of ${facts.giftToken === undefined ? 'your' : 'the'} package.`
          : ''
      }`,
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', en.trees(facts.trees)],
      ['Visited by', facts.planter.name],
      ['Date', en.words.day(facts.visitedAt)],
    ],
    action: facts.photos === 1 ? 'See the photo' : 'See the photos',
    note: en.noteOf(facts),
  }),

  es: (facts) => ({
    subject: `Así ${facts.trees === 1 ? 'crece' : 'crecen'} ${es.yourTrees(facts.trees)}: visita ${facts.number} de ${facts.of}`,
    preview: `${es.photos(facts.photos)} de ${facts.planter.name}.`,
    title: `Visita ${facts.number} de ${facts.of}: así ${
      facts.trees === 1 ? 'crece tu árbol' : 'crecen tus árboles'
    }.`,
    paragraphs: [
      `${facts.planter.name} fue a ver ${es.yourTrees(facts.trees)} y tomó ${es.photos(facts.photos)}.${
        facts.number === facts.of
          ? ` Fue la última visita ${facts.giftToken === undefined ? 'de tu' : 'del'} paquete.`
          : ''
      }`,
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', es.trees(facts.trees)],
      ['Visita de', facts.planter.name],
      ['Fecha', es.words.day(facts.visitedAt)],
    ],
    action: facts.photos === 1 ? 'Ver la foto' : 'Ver las fotos',
    note: es.noteOf(facts),
  }),
};
