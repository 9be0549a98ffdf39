import type { GiftCard } from '@arboleda/contracts/gift.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import { cardPath } from '../links.ts';
import type { Mail } from '../mail.ts';
import { order } from '../samples.ts';
import { called, firstName, fullName, withoutLinks } from '../words.ts';

/** To its recipient. `from`: the buyer's name, unless erased. */
type Facts = {
  orderId: string;
  giftToken: string;
  trees: number;
  card: GiftCard;
  /** Empty when none was written. */
  message: string;
  from?: string | undefined;
};

export const gift: Mail<Facts, 'recipient'> = {
  audience: 'recipient',
  sample: {
    orderId: order.orderId,
    giftToken: 'hY7kPq2WvN5sXc8bTz3LmA',
    trees: 5,
    card: 'valley',
    message: 'Feliz cumpleaños, Mateo.\nQue crezcan tan altos como tú.',
    from: 'Lucía Peña',
  },

  en(facts, name) {
    const from = facts.from === undefined ? '' : fullName(facts.from);
    const message = withoutLinks(facts.message);
    const one = facts.trees === 1;
    return {
      from,
      subject: from
        ? `A gift from ${from}: ${en.trees(facts.trees)}`
        : `A gift for you: ${en.trees(facts.trees)}`,
      preview: `${one ? 'A native tree' : 'Native trees'}, planted in Colombia. Follow how ${one ? 'it grows' : 'they grow'}.`,
      title: called(
        name,
        from
          ? `${from} has given you ${en.trees(facts.trees)}.`
          : `you have been given ${en.trees(facts.trees)}.`,
      ),
      paragraphs: [
        ...(message ? [from ? `${firstName(from) || from} writes:` : 'The card says:'] : []),
        `${one ? 'It is a native tree' : 'They are native trees'}, planted by hand in Colombia. Your page shows who plants ${one ? 'it' : 'them'}, where, and how ${one ? 'it grows' : 'they grow'}. There you can also say thanks, or keep ${one ? 'it' : 'them'} in an account.`,
      ],
      quote: message || undefined,
      pictures: [{ path: cardPath(facts.card), alt: en.DRAWINGS[facts.card] }],
      rows: [
        ['From', from || undefined],
        ['Trees', en.trees(facts.trees)],
      ],
      action: 'Open your gift',
      note: `You are receiving this email because ${from || 'someone'} entered your address for this gift. Anyone with the link can open it.`,
    };
  },

  es(facts, name) {
    const from = facts.from === undefined ? '' : fullName(facts.from);
    const message = withoutLinks(facts.message);
    const one = facts.trees === 1;
    return {
      from,
      subject: from
        ? `Un regalo de ${from}: ${es.trees(facts.trees)}`
        : `Un regalo para ti: ${es.trees(facts.trees)}`,
      preview: `${one ? 'Un árbol nativo que se siembra' : 'Árboles nativos que se siembran'} en Colombia. Mira cómo ${one ? 'crece' : 'crecen'}.`,
      title: called(
        name,
        from ? `${from} te regaló ${es.trees(facts.trees)}.` : `te regalaron ${es.trees(facts.trees)}.`,
      ),
      paragraphs: [
        ...(message ? [from ? `${firstName(from) || from} te escribe:` : 'La tarjeta dice:'] : []),
        `${one ? 'Es un árbol nativo que se siembra' : 'Son árboles nativos que se siembran'} a mano en Colombia. En tu página ves quién ${one ? 'lo' : 'los'} siembra, dónde y cómo ${one ? 'crece' : 'crecen'}. Ahí también puedes dar las gracias o ${one ? 'guardarlo' : 'guardarlos'} en una cuenta.`,
      ],
      quote: message || undefined,
      pictures: [{ path: cardPath(facts.card), alt: es.DRAWINGS[facts.card] }],
      rows: [
        ['De', from || undefined],
        ['Árboles', es.trees(facts.trees)],
      ],
      action: 'Abrir tu regalo',
      note: `Recibes este correo porque ${from || 'alguien'} escribió tu dirección para este regalo. Quien tenga el enlace puede abrirlo.`,
    };
  },
};
