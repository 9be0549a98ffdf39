import { shortId } from '@arboleda/contracts/order.ts';
import type { Texts } from '../content.ts';
import { called } from '../words.ts';
import { NOTES, trees, words } from './words.ts';

const WHY_NOT = {
  'other-worker': 'Ahora lo tiene otra persona. Si ya ibas en camino, habla primero con la oficina.',
  held: 'El donante se retracta de la compra. Por favor no lo siembres.',
  'held-by-office':
    'La oficina está revisando el pago. Por favor no lo siembres hasta que te avisen otra vez.',
  withdrawn: 'Se devolvió el dinero antes de la siembra. Por favor no lo siembres.',
  'taken-back': 'La oficina lo retomó. Por favor no lo siembres hasta que te avisen otra vez.',
};

/** A quien siembra: lo que hay por hacer, y lo que ya no. */
export const worker: Texts<'worker-assigned' | 'worker-unassigned' | 'growth-visit-due'> = {
  'worker-assigned': (facts, name) => ({
    subject: `Pedido nuevo: ${trees(facts.trees)} (${shortId(facts.orderId)})`,
    preview: `${facts.region}. Los datos están en tu portal.`,
    title: called(name, `tienes ${trees(facts.trees)} por sembrar.`),
    paragraphs: [
      'En tu portal están los datos. Cuando siembres, márcalo allí y sube las fotos, con el GPS prendido.',
    ],
    quote: facts.reason,
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', trees(facts.trees)],
      ['Región', facts.region],
      ['Asignado', words.day(facts.assignedAt)],
    ],
    action: 'Abrir tu portal',
    note: NOTES.worker,
  }),

  'worker-unassigned': (facts, name) => ({
    subject: `Ya no es tuyo: pedido ${shortId(facts.orderId)}`,
    preview: WHY_NOT[facts.why],
    title: called(name, `el pedido ${shortId(facts.orderId)} ya no es tuyo.`),
    paragraphs: [WHY_NOT[facts.why]],
    quote: facts.reason,
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', trees(facts.trees)],
    ],
    action: 'Abrir tu portal',
    note: NOTES.worker,
  }),

  'growth-visit-due'(facts, name) {
    const again = facts.reminders > 0;
    const order = shortId(facts.orderId);
    return {
      subject: `${again ? 'Recordatorio: visita' : 'Visita'} ${facts.number} de ${facts.of} por hacer (${order})`,
      preview: `${trees(facts.trees)}, ${facts.location}.`,
      title: called(name, again ? 'hay una visita que todavía espera.' : 'es hora de una visita.'),
      paragraphs: [
        `Visita ${facts.trees === 1 ? 'el árbol' : `los ${trees(facts.trees)}`} y toma fotos, con el GPS prendido. La visita queda hecha cuando las fotos están en tu portal.`,
      ],
      rows: [
        ['Para el', words.day(facts.dueAt)],
        ['Lugar', facts.location],
        ['Pedido', order],
        ['Árboles', trees(facts.trees)],
      ],
      action: 'Abrir tu portal',
      note: NOTES.worker,
    };
  },
};
