import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order, paid } from '../samples.ts';

/** The receipt of a request. `byTransfer`: it was paid by bank transfer. */
type Facts = OrderFacts & {
  amountMinor?: number | undefined;
  currency?: string | undefined;
  requestedAt: string;
  refundBy: string;
  byTransfer?: true | undefined;
};

export const withdrawalRequested: Mail<Facts, 'donor'> = {
  audience: 'donor',
  sample: {
    ...order,
    ...paid,
    requestedAt: '2026-11-22T15:00:00Z',
    refundBy: '2026-12-07T04:59:59.999Z',
  },

  en: (facts, name) => ({
    subject: `You cancelled your purchase · order ${shortId(facts.orderId)}`,
    preview: `You’ll have all of your money back by ${en.words.colombianDay(facts.refundBy)}.`,
    title: 'We have your cancellation.',
    paragraphs: [
      `Nobody plants ${en.yourTrees(facts.trees)} from now on. By ${en.words.colombianDay(facts.refundBy)} at the latest you’ll have all of your money back, growth updates included, and we’ll email you when it is on its way.`,
      facts.byTransfer
        ? 'You paid by bank transfer, so we send it back by bank transfer, to the account it came from. To have it sent to another account of yours, write to us at the address below.'
        : 'It goes back to the card you paid with.',
      'If you change your mind, or if this was not you, you can keep your order on its page until the refund begins.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', en.trees(facts.trees)],
      ['Paid', en.words.moneyIfKnown(facts)],
      ['Name', name],
      ['You asked us', 'To cancel this purchase and give all of the money back'],
      ['Received on', en.words.colombianMoment(facts.requestedAt)],
      ['Money back by', en.words.colombianDay(facts.refundBy)],
    ],
    action: 'See your order',
    note: en.NOTES.donor,
  }),

  es: (facts, name) => ({
    subject: `Te retractaste de tu compra · pedido ${shortId(facts.orderId)}`,
    preview: `Tendrás todo tu dinero de vuelta a más tardar el ${es.words.colombianDay(facts.refundBy)}.`,
    title: 'Recibimos tu retracto.',
    paragraphs: [
      `Desde ahora nadie siembra ${es.yourTrees(facts.trees)}. A más tardar el ${es.words.colombianDay(facts.refundBy)} tendrás todo tu dinero de vuelta, también el de las novedades de crecimiento, y te escribiremos cuando vaya en camino.`,
      facts.byTransfer
        ? 'Pagaste por transferencia bancaria, así que te lo devolvemos por transferencia, a la cuenta desde la que llegó. Si lo prefieres en otra cuenta tuya, escríbenos al correo que está abajo.'
        : 'Vuelve a la tarjeta con la que pagaste.',
      'Si cambias de opinión, o si no fuiste tú, puedes conservar tu pedido en su página hasta que empiece la devolución.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', es.trees(facts.trees)],
      ['Pagado', es.words.moneyIfKnown(facts)],
      ['Nombre', name],
      ['Nos pediste', 'Retractarte de esta compra y recibir todo tu dinero'],
      ['Recibido el', es.words.colombianMoment(facts.requestedAt)],
      ['Dinero de vuelta', es.words.colombianDay(facts.refundBy)],
    ],
    action: 'Ver tu pedido',
    note: es.NOTES.donor,
  }),
};
