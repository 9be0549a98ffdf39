import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { NOTES, trees, words, yourTrees } from './words.ts';

/** A quien se retracta de una compra: el acuse lleva el contenido, el día y la hora. */
export const withdrawal: Texts<'withdrawal-requested' | 'withdrawal-retracted'> = {
  'withdrawal-requested': (facts, name) => ({
    subject: `Te retractaste de tu compra · pedido ${shortId(facts.orderId)}`,
    preview: `Tendrás todo tu dinero de vuelta a más tardar el ${words.colombianDay(facts.refundBy)}.`,
    title: 'Recibimos tu retracto.',
    paragraphs: [
      `Desde ahora nadie siembra ${yourTrees(facts.trees)}. A más tardar el ${words.colombianDay(facts.refundBy)} tendrás todo tu dinero de vuelta, también el de las novedades de crecimiento, y te escribiremos cuando vaya en camino.`,
      facts.byTransfer
        ? 'Pagaste por transferencia bancaria, así que te lo devolvemos por transferencia, a la cuenta desde la que llegó. Si lo prefieres en otra cuenta tuya, escríbenos al correo que está abajo.'
        : 'Vuelve a la tarjeta con la que pagaste.',
      'Si cambias de opinión, o si no fuiste tú, puedes conservar tu pedido en su página hasta que empiece la devolución.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', trees(facts.trees)],
      ['Pagado', words.moneyIfKnown(facts)],
      ['Nombre', name],
      ['Nos pediste', 'Retractarte de esta compra y recibir todo tu dinero'],
      ['Recibido el', words.colombianMoment(facts.requestedAt)],
      ['Dinero de vuelta', words.colombianDay(facts.refundBy)],
    ],
    action: 'Ver tu pedido',
    note: NOTES.donor,
  }),

  'withdrawal-retracted': (facts) => ({
    subject: `Conservas tu pedido · pedido ${shortId(facts.orderId)}`,
    preview: `${trees(facts.trees)}: la siembra sigue en pie.`,
    title: `Conservas ${yourTrees(facts.trees)}.`,
    paragraphs: [
      'Tu retracto ya no cuenta y no devolvemos dinero. Ahora buscamos quién siembra y te escribimos su nombre.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', trees(facts.trees)],
      ['Fecha', words.day(facts.retractedAt)],
    ],
    action: 'Seguir tu pedido',
    note: NOTES.donor,
  }),
};
