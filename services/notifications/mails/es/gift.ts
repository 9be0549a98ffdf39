import type { GiftCard } from '@arboleda/contracts/gift.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { cardPath } from '../links.ts';
import { called, firstName, fullName, withoutLinks } from '../words.ts';
import { NOTES, trees, words } from './words.ts';

const DRAWINGS: Record<GiftCard, string> = {
  sapling: 'Dibujo de un arbolito frente a montañas verdes',
  valley: 'Dibujo de un árbol joven entre palmas de cera en un valle',
  forest: 'Dibujo de un bosque con árboles en flor amarilla',
  night: 'Dibujo de un guayacán amarillo en flor, de noche',
};

/** A quien se hizo el regalo, en un correo a quien lo compró; sin nombre si se borraron sus datos. */
const named = (gift: { recipientName: string } | undefined): string =>
  (gift && fullName(gift.recipientName)) || 'la persona que lo recibe';

/** El regalo a quien lo recibe, y a quien lo compró qué pasó con él. */
export const gift: Texts<
  'gift' | 'gift-sent' | 'gift-bounced' | 'gift-refused' | 'gift-claimed' | 'gift-thanks'
> = {
  gift(facts, name) {
    const from = facts.from === undefined ? '' : fullName(facts.from);
    const message = withoutLinks(facts.message);
    const one = facts.trees === 1;
    return {
      from,
      subject: from
        ? `Un regalo de ${from}: ${trees(facts.trees)}`
        : `Un regalo para ti: ${trees(facts.trees)}`,
      preview: `${one ? 'Un árbol nativo que se siembra' : 'Árboles nativos que se siembran'} en Colombia. Mira cómo ${one ? 'crece' : 'crecen'}.`,
      title: called(
        name,
        from ? `${from} te regaló ${trees(facts.trees)}.` : `te regalaron ${trees(facts.trees)}.`,
      ),
      paragraphs: [
        ...(message ? [from ? `${firstName(from) || from} te escribe:` : 'La tarjeta dice:'] : []),
        `${one ? 'Es un árbol nativo que se siembra' : 'Son árboles nativos que se siembran'} a mano en Colombia. En tu página ves quién ${one ? 'lo' : 'los'} siembra, dónde y cómo ${one ? 'crece' : 'crecen'}. Ahí también puedes dar las gracias o ${one ? 'guardarlo' : 'guardarlos'} en una cuenta.`,
      ],
      quote: message || undefined,
      pictures: [{ path: cardPath(facts.card), alt: DRAWINGS[facts.card] }],
      rows: [
        ['De', from || undefined],
        ['Árboles', trees(facts.trees)],
      ],
      action: 'Abrir tu regalo',
      note: `Recibes este correo porque ${from || 'alguien'} escribió tu dirección para este regalo. Quien tenga el enlace puede abrirlo.`,
    };
  },

  'gift-sent': (facts) => ({
    subject: `Tu regalo se entregó · pedido ${shortId(facts.orderId)}`,
    preview: `Ya salió el correo para ${named(facts.gift)}.`,
    title: `Tu regalo para ${named(facts.gift)} se entregó.`,
    paragraphs: [
      'Su servidor de correo recibió el mensaje con tu tarjeta. Si no lo encuentra, pídele que mire en el correo no deseado; desde tu pedido lo puedes reenviar, una vez al día.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Para', facts.gift?.recipientName],
      ['Árboles', trees(facts.trees)],
      ['Entregado', words.moment(facts.deliveredAt)],
    ],
    action: 'Ver tu pedido',
    note: NOTES.donor,
  }),

  'gift-bounced': (facts) => ({
    subject: `Tu regalo no llegó · pedido ${shortId(facts.orderId)}`,
    preview: 'La dirección no funciona. La puedes corregir.',
    title: `Tu regalo para ${named(facts.gift)} no llegó.`,
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
    note: NOTES.donor,
  }),

  'gift-refused': (facts) => ({
    subject: `Tu regalo no puede ir por correo · pedido ${shortId(facts.orderId)}`,
    preview: 'Puedes entregar la tarjeta tú.',
    title: `Tu regalo para ${named(facts.gift)} no puede ir por correo.`,
    paragraphs: [
      'La persona de esa dirección nos pidió no recibir regalos por correo, de nadie.',
      'Todavía lo puedes dar: abre tu pedido con el enlace privado, elige entregarlo tú e imprime la tarjeta.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Para', facts.gift?.recipientName],
      ['Dirección', facts.gift?.recipientEmail],
    ],
    action: 'Ver la tarjeta',
    note: NOTES.donor,
  }),

  'gift-claimed': (facts) => ({
    subject: `Tu regalo ya tiene dueño · pedido ${shortId(facts.orderId)}`,
    preview: 'Ya está en una cuenta.',
    title: `Tu regalo para ${named(facts.gift)} ya está en una cuenta.`,
    paragraphs: [
      'Desde ahora le escribimos también a esa persona cuando haya novedades de los árboles. Tú sigues recibiéndolas, y tu pedido sigue en tu enlace privado.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Para', facts.gift?.recipientName],
      ['Árboles', trees(facts.trees)],
      ['Desde', words.day(facts.claimedAt)],
    ],
    action: 'Ver tu pedido',
    note: NOTES.donor,
  }),

  'gift-thanks': (facts) => ({
    subject: `Gracias por tu regalo · pedido ${shortId(facts.orderId)}`,
    preview: `${words.capitalised(named(facts.gift))} te escribió.`,
    title: `${words.capitalised(named(facts.gift))} te da las gracias.`,
    paragraphs: [withoutLinks(facts.gift?.thanks) ? 'Te escribió esto:' : 'Te agradece tu regalo.'],
    quote: withoutLinks(facts.gift?.thanks) || undefined,
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', trees(facts.trees)],
    ],
    action: 'Ver tu pedido',
    note: NOTES.donor,
  }),
};

/** Una línea en el recibo de un regalo. */
export const givenTo = (
  gift: { recipientName: string; deliverOn?: string | undefined } | undefined,
): string[] =>
  gift?.deliverOn === undefined ? [] : [`Tu regalo llega a ${named(gift)} el ${words.date(gift.deliverOn)}.`];
