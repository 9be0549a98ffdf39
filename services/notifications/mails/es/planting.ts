import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { firstName, point } from '../words.ts';
import { photoPath, PLANTED_DRAWING } from '../links.ts';
import { NOTES, noteOf, photos, trees, words, yourTrees } from './words.ts';

/** Al donante: sus árboles, desde quién los siembra hasta el final del trabajo. */
export const planting: Texts<'assigned' | 'planted' | 'photos' | 'completed'> = {
  assigned(facts) {
    const { planter, previous } = facts;
    const does = facts.isPlanted ? 'cuida ahora' : 'va a sembrar';
    const one = facts.trees === 1;
    return {
      subject: `${planter.name} ${does} ${yourTrees(facts.trees)}`,
      preview: `${firstName(planter.name) || planter.name} trabaja en ${planter.region}.`,
      title: `${planter.name} ${does} ${yourTrees(facts.trees)}.`,
      paragraphs: [
        `${firstName(planter.name) || planter.name} trabaja en ${planter.region} y ${
          previous === undefined ? 'ya tiene tu pedido' : `recibió tu pedido de ${previous}`
        }.${
          facts.isPlanted
            ? ''
            : ` Apenas ${one ? 'tu árbol esté sembrado' : 'tus árboles estén sembrados'}, te enviamos el lugar.`
        }`,
      ],
      rows: [
        ['Sembrador', planter.name],
        ['Región', planter.region],
        ['Pedido', shortId(facts.orderId)],
      ],
      action: 'Ver tu pedido',
      note: NOTES.donor,
    };
  },

  planted(facts) {
    const { planter } = facts;
    const one = facts.trees === 1;
    const date = words.day(facts.plantedAt);
    const where = facts.place ?? planter?.region;
    return {
      subject: one ? 'Tu árbol ya está sembrado' : `Tus ${trees(facts.trees)} ya están sembrados`,
      preview: planter ? `Siembra de ${planter.name}, ${where}.` : `Siembra del ${date}.`,
      title: one ? 'Tu árbol ya está sembrado.' : `Tus ${trees(facts.trees)} ya están sembrados.`,
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
      note: noteOf(facts),
    };
  },

  photos(facts) {
    const single = facts.photos === 1;
    const whose = facts.trees === 1 ? 'tu árbol' : 'tus árboles';
    const counted = words.counted(facts.photos, 'foto nueva', 'fotos nuevas');
    return {
      subject: `${counted} de ${whose}`,
      preview: `Del terreno, pedido ${shortId(facts.orderId)}.`,
      title: `${counted} de ${whose}.`,
      paragraphs: [
        `${single ? 'La tomó' : 'Las tomó'} en el terreno quien sembró. ${
          single ? 'Queda guardada' : 'Quedan guardadas'
        } con ${facts.giftToken === undefined ? 'tu pedido' : whose}, junto al mapa y las fechas.`,
      ],
      pictures: facts.filenames.map((filename, at) => ({
        path: photoPath(filename),
        alt: `Foto ${at + 1} de ${facts.filenames.length}: ${whose}${facts.place ? `, ${facts.place}` : ''}`,
      })),
      rows: [
        ['Lugar', facts.place],
        ['Pedido', shortId(facts.orderId)],
        ['Árboles', trees(facts.trees)],
        ['Nuevas', photos(facts.photos)],
      ],
      action: single ? 'Ver la foto' : 'Ver las fotos',
      note: noteOf(facts),
    };
  },

  completed(facts) {
    const one = facts.trees === 1;
    const isGift = facts.giftToken !== undefined;
    return {
      subject: isGift
        ? `La siembra de ${yourTrees(facts.trees)} está completa`
        : `El pedido ${shortId(facts.orderId)} está completo`,
      preview: `El lugar, las fechas y las fotos de ${yourTrees(facts.trees)} siguen en tu enlace privado.`,
      title: isGift ? `La siembra de ${yourTrees(facts.trees)} está completa.` : 'Tu pedido está completo.',
      paragraphs: [
        `La siembra de ${yourTrees(facts.trees)} quedó completa. El lugar, las fechas y las fotos siguen en tu enlace privado; guarda este correo para volver a ${
          one ? 'verlo' : 'verlos'
        }.`,
      ],
      rows: [
        ['Pedido', shortId(facts.orderId)],
        ['Árboles', trees(facts.trees)],
        ['Completado', words.day(facts.completedAt)],
      ],
      action: one ? 'Ver tu árbol' : 'Ver tus árboles',
      note: noteOf(facts),
    };
  },
};
