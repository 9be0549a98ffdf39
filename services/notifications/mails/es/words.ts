import type { OrderFacts } from '../facts.ts';
import { wordsIn } from '../words.ts';

export const words = wordsIn('es');

export const trees = (count: number): string => words.counted(count, 'árbol', 'árboles');
/** "tu árbol", "tus 5 árboles" */
export const yourTrees = (count: number): string => (count === 1 ? 'tu árbol' : `tus ${trees(count)}`);
export const photos = (count: number): string => words.counted(count, 'foto', 'fotos');

export const NOTES = {
  donor:
    'Recibes este correo porque alguien compró árboles con tu dirección. El enlace es privado: quien lo tenga ve tu pedido.',
  recipient:
    'Recibes este correo porque te regalaron estos árboles y los tienes en tu cuenta. Quien tenga el enlace los ve.',
  worker: 'Recibes este correo porque siembras con Arboleda.',
  office: 'Recibes este correo porque esta es la dirección de la organización en Arboleda.',
  link: 'Si no lo pediste, ignora este correo y no uses el enlace. No pasa nada.',
};

/** Why a donor, or a gift's recipient, gets an email about trees. */
export const noteOf = ({ giftToken }: OrderFacts): string =>
  giftToken === undefined ? NOTES.donor : NOTES.recipient;
