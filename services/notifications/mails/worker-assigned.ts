import { shortId } from '@arboleda/contracts/order.ts';
import type { Compose, WorkerAssignedFacts } from './content.ts';
import { workerNote } from './notes.ts';
import { day, firstName, trees } from './words.ts';

/** To the worker: there is something to plant. */
export const workerAssigned: Compose<WorkerAssignedFacts> = (facts, { name, language, links }) => {
  const order = shortId(facts.orderId);
  const counted = trees(facts.trees, language);
  const url = links.workerPortal;
  return {
    en: {
      subject: `New order: ${counted} (${order})`,
      preview: `${facts.region}. The details are in your portal.`,
      title: `${firstName(name)}, you have ${counted} to plant.`,
      paragraphs: [
        'Your portal has the details. When you have planted, mark it there and add the photos, with GPS turned on.',
      ],
      rows: [
        ['Order', order],
        ['Trees', counted],
        ['Region', facts.region],
        ['Assigned', day(facts.assignedAt, language)],
      ],
      action: { label: 'Open your portal', url },
      note: workerNote('en'),
    },
    es: {
      subject: `Pedido nuevo: ${counted} (${order})`,
      preview: `${facts.region}. Los datos están en tu portal.`,
      title: `${firstName(name)}, tienes ${counted} por sembrar.`,
      paragraphs: [
        'En tu portal están los datos. Cuando siembres, márcalo allí y sube las fotos, con el GPS prendido.',
      ],
      rows: [
        ['Pedido', order],
        ['Árboles', counted],
        ['Región', facts.region],
        ['Asignado', day(facts.assignedAt, language)],
      ],
      action: { label: 'Abrir tu portal', url },
      note: workerNote('es'),
    },
  };
};
