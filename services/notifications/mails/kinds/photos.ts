import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OrderFacts } from '../facts.ts';
import { photoPath } from '../links.ts';
import type { Mail } from '../mail.ts';
import { order } from '../samples.ts';

/** `filenames`: the photos that the email shows. */
type Facts = OrderFacts & { photos: number; filenames: readonly string[]; place?: string | undefined };

export const photos: Mail<Facts, 'donor'> = {
  audience: 'donor',
  isNews: true,
  sample: {
    ...order,
    photos: 5,
    filenames: ['q7Xw2LpVt0bZ3kRmYd9sAe.jpg', 'm4Tn8HcQy6JfUo1WxGvBzK.jpg', 'u5Er3NiLp7SaDk0CgMtVhX.jpg'],
    place: 'Vereda Cocora, Salento',
  },

  en(facts) {
    const single = facts.photos === 1;
    const whose = facts.trees === 1 ? 'your tree' : 'your trees';
    const counted = en.words.counted(facts.photos, 'new photo', 'new photos');
    return {
      subject: `${counted} of ${whose}`,
      preview: `Taken in the field, order ${shortId(facts.orderId)}.`,
      title: `${counted} of ${whose}.`,
      paragraphs: [
        `Taken in the field by the person who planted. ${
          single ? 'It is kept' : 'They are kept'
        } with ${facts.giftToken === undefined ? 'your order' : whose}, beside the map and the dates.`,
      ],
      pictures: facts.filenames.map((filename, at) => ({
        path: photoPath(filename),
        alt: `Photo ${at + 1} of ${facts.filenames.length}: ${whose}${facts.place ? `, ${facts.place}` : ''}`,
      })),
      rows: [
        ['Place', facts.place],
        ['Order', shortId(facts.orderId)],
        ['Trees', en.trees(facts.trees)],
        ['New', en.photos(facts.photos)],
      ],
      action: single ? 'See the photo' : 'See the photos',
      note: en.noteOf(facts),
    };
  },

  es(facts) {
    const single = facts.photos === 1;
    const whose = facts.trees === 1 ? 'tu árbol' : 'tus árboles';
    const counted = es.words.counted(facts.photos, 'foto nueva', 'fotos nuevas');
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
        ['Árboles', es.trees(facts.trees)],
        ['Nuevas', es.photos(facts.photos)],
      ],
      action: single ? 'Ver la foto' : 'Ver las fotos',
      note: es.noteOf(facts),
    };
  },
};
