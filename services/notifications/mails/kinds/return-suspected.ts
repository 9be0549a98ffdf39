import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { Money } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order, paid } from '../samples.ts';

/** A debit may have taken an order's money back. `day` of the debit: "2026-11-17". */
type Facts = { orderId: string } & Money & { day: string };

export const returnSuspected: Mail<Facts, 'office'> = {
  audience: 'office',
  nextStep: (_facts, to) => to.debits,
  sample: { orderId: order.orderId, ...paid, day: '2026-11-17' },

  en: (facts) => ({
    subject: `The bank may have taken back ${en.words.money(facts)} · order ${shortId(facts.orderId)}`,
    preview: 'The order waits until you decide.',
    title: `The bank may have taken back the money of order ${shortId(facts.orderId)}.`,
    paragraphs: [
      `The bank’s statement has a debit of ${en.words.money(facts)} that looks like the return of this order’s transfer. If it is not planted yet, nobody plants it until an admin decides.`,
      'Open the debit. Say that the money went back, and the order counts as refunded; or that the debit is something else, and the order goes on.',
    ],
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Debit', en.words.money(facts)],
      ['Day of the debit', en.words.date(facts.day)],
    ],
    action: 'Decide on the debit',
    note: en.NOTES.office,
  }),

  es: (facts) => ({
    subject: `Es posible que el banco haya devuelto ${es.words.money(facts)} · pedido ${shortId(facts.orderId)}`,
    preview: 'El pedido espera hasta que decidas.',
    title: `Es posible que el banco haya devuelto el dinero del pedido ${shortId(facts.orderId)}.`,
    paragraphs: [
      `En el extracto hay un débito de ${es.words.money(facts)} que parece la devolución de la transferencia de este pedido. Si aún no está sembrado, nadie lo siembra hasta que alguien del equipo decida.`,
      'Abre el débito. Indica que el dinero se devolvió, y el pedido queda reembolsado; o que el débito es otra cosa, y el pedido sigue.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Débito', es.words.money(facts)],
      ['Fecha del débito', es.words.date(facts.day)],
    ],
    action: 'Decidir sobre el débito',
    note: es.NOTES.office,
  }),
};
