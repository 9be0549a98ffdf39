import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { VisitNumber, WorkFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { visit, work } from '../samples.ts';
import { called } from '../words.ts';

type Facts = WorkFacts & VisitNumber & { dueAt: string; location: string; reminders: number };

export const growthVisitDue: Mail<Facts, 'worker'> = {
  audience: 'worker',
  sample: {
    ...work,
    ...visit,
    dueAt: '2027-06-03T20:00:00Z',
    location: 'Vereda Cocora, Salento',
    reminders: 0,
  },

  en(facts, name) {
    const again = facts.reminders > 0;
    const order = shortId(facts.orderId);
    return {
      subject: `${again ? 'Reminder: growth' : 'Growth'} visit ${facts.number} of ${facts.of} is due (${order})`,
      preview: `${en.trees(facts.trees)}, ${facts.location}.`,
      title: called(name, `${again ? 'a growth visit is still waiting' : 'it is time for a growth visit'}.`),
      paragraphs: [
        `Visit the ${facts.trees === 1 ? 'tree' : en.trees(facts.trees)} and take photos, with GPS turned on. The visit is done when the photos are in your portal.`,
      ],
      rows: [
        ['Due', en.words.day(facts.dueAt)],
        ['Place', facts.location],
        ['Order', order],
        ['Trees', en.trees(facts.trees)],
      ],
      action: 'Open your portal',
      note: en.NOTES.worker,
    };
  },

  es(facts, name) {
    const again = facts.reminders > 0;
    const order = shortId(facts.orderId);
    return {
      subject: `${again ? 'Recordatorio: visita' : 'Visita'} ${facts.number} de ${facts.of} por hacer (${order})`,
      preview: `${es.trees(facts.trees)}, ${facts.location}.`,
      title: called(name, again ? 'hay una visita que todavía espera.' : 'es hora de una visita.'),
      paragraphs: [
        `Visita ${facts.trees === 1 ? 'el árbol' : `los ${es.trees(facts.trees)}`} y toma fotos, con el GPS prendido. La visita queda hecha cuando las fotos están en tu portal.`,
      ],
      rows: [
        ['Para el', es.words.day(facts.dueAt)],
        ['Lugar', facts.location],
        ['Pedido', order],
        ['Árboles', es.trees(facts.trees)],
      ],
      action: 'Abrir tu portal',
      note: es.NOTES.worker,
    };
  },
};
