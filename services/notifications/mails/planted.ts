import { shortId } from '@arboleda/contracts/order.ts';
import type { Compose, PlantedFacts } from './content.ts';
import { donorNote } from './notes.ts';
import { day, point, trees } from './words.ts';

/** To the donor: the trees are in the ground. */
export const planted: Compose<PlantedFacts> = (facts, { language, links }) => {
  const { planter } = facts;
  const order = shortId(facts.orderId);
  const counted = trees(facts.trees, language);
  const one = facts.trees === 1;
  const date = day(facts.plantedAt, language);
  const where = facts.place ?? planter.region;
  const coordinates = facts.coordinates && point(facts.coordinates);
  const url = links.order(facts.orderToken);
  return {
    en: {
      subject: one ? 'Your tree is in the ground' : `Your ${counted} are in the ground`,
      preview: `Planted by ${planter.name}, ${where}.`,
      title: one ? 'Your tree is in the ground.' : `Your ${counted} are in the ground.`,
      paragraphs: [
        `${planter.name} planted ${one ? 'it' : 'them'} on ${date}. Photos come next; we write when the first ones are here.`,
      ],
      rows: [
        ['Place', where],
        ...(coordinates ? [['Coordinates', coordinates] as const] : []),
        ['Planted by', planter.name],
        ['Date', date],
        ['Order', order],
      ],
      action: { label: one ? 'See where it grows' : 'See where they grow', url },
      note: donorNote('en'),
    },
    es: {
      subject: one ? 'Tu árbol ya está en tierra' : `Tus ${counted} ya están en tierra`,
      preview: `Siembra de ${planter.name}, ${where}.`,
      title: one ? 'Tu árbol ya está en tierra.' : `Tus ${counted} ya están en tierra.`,
      paragraphs: [
        `${planter.name} ${one ? 'lo' : 'los'} sembró el ${date}. Siguen las fotos; te escribimos cuando lleguen las primeras.`,
      ],
      rows: [
        ['Lugar', where],
        ...(coordinates ? [['Coordenadas', coordinates] as const] : []),
        ['Siembra', planter.name],
        ['Fecha', date],
        ['Pedido', order],
      ],
      action: { label: one ? 'Ver dónde crece' : 'Ver dónde crecen', url },
      note: donorNote('es'),
    },
  };
};
