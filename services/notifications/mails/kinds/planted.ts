import type { Coordinates } from '@arboleda/contracts/fields.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OrderFacts, Planter } from '../facts.ts';
import { PLANTED_DRAWING } from '../links.ts';
import type { Mail } from '../mail.ts';
import { order, planter } from '../samples.ts';
import { point } from '../words.ts';

type Facts = OrderFacts & {
  planter?: Planter | undefined;
  plantedAt: string;
  place?: string | undefined;
  coordinates?: Coordinates | undefined;
};

export const planted: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: {
    ...order,
    planter,
    plantedAt: '2026-11-25T20:00:00Z',
    place: 'Vereda Cocora, Salento',
    coordinates: { latitude: 4.637812, longitude: -75.487654 },
  },

  en(facts) {
    const { planter } = facts;
    const one = facts.trees === 1;
    const date = en.words.day(facts.plantedAt);
    const where = facts.place ?? planter?.region;
    return {
      subject: one ? 'Your tree is in the ground' : `Your ${en.trees(facts.trees)} are in the ground`,
      preview: planter ? `Planted by ${planter.name}, ${where}.` : `Planted on ${date}.`,
      title: one ? 'Your tree is in the ground.' : `Your ${en.trees(facts.trees)} are in the ground.`,
      paragraphs: [
        `${
          planter
            ? `${planter.name} planted ${one ? 'it' : 'them'}`
            : `${one ? 'It was' : 'They were'} planted`
        } on ${date}. Photos come next; we’ll write when the first ones are here.`,
      ],
      pictures: [
        {
          path: PLANTED_DRAWING,
          alt: 'Drawing of young trees in a green valley',
          caption: 'Drawing, not this place',
        },
      ],
      rows: [
        ['Place', where],
        ['Coordinates', facts.coordinates && point(facts.coordinates)],
        ['Planted by', planter?.name],
        ['Date', date],
        ['Order', shortId(facts.orderId)],
      ],
      action: one ? 'See where it grows' : 'See where they grow',
      note: en.noteOf(facts),
    };
  },

  es(facts) {
    const { planter } = facts;
    const one = facts.trees === 1;
    const date = es.words.day(facts.plantedAt);
    const where = facts.place ?? planter?.region;
    return {
      subject: one ? 'Tu árbol ya está sembrado' : `Tus ${es.trees(facts.trees)} ya están sembrados`,
      preview: planter ? `Siembra de ${planter.name}, ${where}.` : `Siembra del ${date}.`,
      title: one ? 'Tu árbol ya está sembrado.' : `Tus ${es.trees(facts.trees)} ya están sembrados.`,
      paragraphs: [
        `${
          planter ? `${planter.name} ${one ? 'lo' : 'los'} sembró` : `Se ${one ? 'sembró' : 'sembraron'}`
        } el ${date}. Siguen las fotos; te escribimos cuando lleguen las primeras.`,
      ],
      pictures: [
        {
          path: PLANTED_DRAWING,
          alt: 'Dibujo de árboles jóvenes en un valle verde',
          caption: 'Dibujo, no es este lugar',
        },
      ],
      rows: [
        ['Lugar', where],
        ['Coordenadas', facts.coordinates && point(facts.coordinates)],
        ['Sembrador', planter?.name],
        ['Fecha', date],
        ['Pedido', shortId(facts.orderId)],
      ],
      action: one ? 'Ver dónde crece' : 'Ver dónde crecen',
      note: es.noteOf(facts),
    };
  },
};
