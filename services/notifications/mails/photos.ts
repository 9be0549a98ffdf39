import { shortId } from '@arboleda/contracts/order.ts';
import type { Compose, PhotosFacts } from './content.ts';
import { donorNote } from './notes.ts';
import { newPhotos, trees } from './words.ts';

/** To the donor: photos arrived, one mail for all that came together. */
export const photos: Compose<PhotosFacts> = (facts, { language, links }) => {
  const order = shortId(facts.orderId);
  const counted = newPhotos(facts.photos, language);
  const single = facts.photos === 1;
  const one = facts.trees === 1;
  const url = links.order(facts.orderToken);
  return {
    en: {
      subject: `${counted} of your ${one ? 'tree' : 'trees'}`,
      preview: `Taken in the field, order ${order}.`,
      title: `${counted} of your ${one ? 'tree' : 'trees'}.`,
      paragraphs: [
        `Taken in the field by the person who planted. ${
          single ? 'It is kept' : 'They are kept'
        } with your order, beside the map and the dates.`,
      ],
      rows: [
        ['Order', order],
        ['Trees', trees(facts.trees, language)],
      ],
      action: { label: single ? 'See the photo' : 'See the photos', url },
      note: donorNote('en'),
    },
    es: {
      subject: `${counted} de ${one ? 'tu árbol' : 'tus árboles'}`,
      preview: `Del terreno, pedido ${order}.`,
      title: `${counted} de ${one ? 'tu árbol' : 'tus árboles'}.`,
      paragraphs: [
        `${single ? 'La tomó' : 'Las tomó'} en el terreno quien sembró. ${
          single ? 'Queda guardada' : 'Quedan guardadas'
        } con tu pedido, junto al mapa y las fechas.`,
      ],
      rows: [
        ['Pedido', order],
        ['Árboles', trees(facts.trees, language)],
      ],
      action: { label: single ? 'Ver la foto' : 'Ver las fotos', url },
      note: donorNote('es'),
    },
  };
};
