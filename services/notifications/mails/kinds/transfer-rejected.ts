import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { OrderFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { order } from '../samples.ts';

/** `reason` is an admin's text. */
type Facts = OrderFacts & { reason: string };

export const transferRejected: Mail<Facts, 'donor'> = {
  audience: 'donor',
  nextStep: (_facts, to) => to.buy,
  sample: {
    ...order,
    reason: 'La referencia del comprobante no aparece en nuestra cuenta.\nEl valor tampoco coincide.',
  },

  en: (facts) => ({
    subject: `We could not verify your transfer · order ${shortId(facts.orderId)}`,
    preview: 'This is why, and how to try again.',
    title: 'We could not verify your transfer.',
    paragraphs: [
      'This is what the person who looked for it wrote:',
      'To try again, order once more and add a clear picture of your bank’s confirmation, with the amount, the date and the reference in it. If the money has left your account already, use the confirmation you have: nothing needs to be paid twice.',
    ],
    quote: facts.reason,
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', en.trees(facts.trees)],
    ],
    action: 'Try again',
    note: en.NOTES.donor,
  }),

  es: (facts) => ({
    subject: `No pudimos verificar tu transferencia · pedido ${shortId(facts.orderId)}`,
    preview: 'Te contamos por qué, y cómo intentarlo de nuevo.',
    title: 'No pudimos verificar tu transferencia.',
    paragraphs: [
      'Esto escribió la persona que la buscó:',
      'Para intentarlo de nuevo, haz el pedido otra vez y agrega una imagen clara del comprobante de tu banco, con el valor, la fecha y la referencia. Si el dinero ya salió de tu cuenta, usa el comprobante que tienes: no hay que pagar dos veces.',
    ],
    quote: facts.reason,
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', es.trees(facts.trees)],
    ],
    action: 'Intentarlo de nuevo',
    note: es.NOTES.donor,
  }),
};
