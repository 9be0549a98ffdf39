import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { NOTES, words } from './words.ts';

/** A la dirección de la organización. */
export const office: Texts<'return-suspected'> = {
  'return-suspected': (facts) => ({
    subject: `Es posible que el banco haya devuelto ${words.money(facts)} · pedido ${shortId(facts.orderId)}`,
    preview: 'El pedido espera hasta que decidas.',
    title: `Es posible que el banco haya devuelto el dinero del pedido ${shortId(facts.orderId)}.`,
    paragraphs: [
      `En el extracto hay un débito de ${words.money(facts)} que parece la devolución de la transferencia de este pedido. Si aún no está sembrado, nadie lo siembra hasta que alguien del equipo decida.`,
      'Abre el débito. Indica que el dinero se devolvió, y el pedido queda reembolsado; o que el débito es otra cosa, y el pedido sigue.',
    ],
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Débito', words.money(facts)],
      ['Fecha del débito', words.date(facts.day)],
    ],
    action: 'Decidir sobre el débito',
    note: NOTES.office,
  }),
};
