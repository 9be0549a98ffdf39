import { shortId } from '@arboleda/contracts/order.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { WorkFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { work } from '../samples.ts';
import { called } from '../words.ts';

type Facts = WorkFacts & { region: string; assignedAt: string; reason?: string | undefined };

export const workerAssigned: Mail<Facts, 'worker'> = {
  audience: 'worker',
  sample: { ...work, region: 'Quindío', assignedAt: '2026-11-21T20:00:00Z' },

  en: (facts, name) => ({
    subject: `New order: ${en.trees(facts.trees)} (${shortId(facts.orderId)})`,
    preview: `${facts.region}. The details are in your portal.`,
    title: called(name, `you have ${en.trees(facts.trees)} to plant.`),
    paragraphs: [
      'Your portal has the details. Once you have planted, mark it there and add the photos, with GPS turned on.',
    ],
    quote: facts.reason,
    rows: [
      ['Order', shortId(facts.orderId)],
      ['Trees', en.trees(facts.trees)],
      ['Region', facts.region],
      ['Assigned', en.words.day(facts.assignedAt)],
    ],
    action: 'Open your portal',
    note: en.NOTES.worker,
  }),

  es: (facts, name) => ({
    subject: `Pedido nuevo: ${es.trees(facts.trees)} (${shortId(facts.orderId)})`,
    preview: `${facts.region}. Los datos están en tu portal.`,
    title: called(name, `tienes ${es.trees(facts.trees)} por sembrar.`),
    paragraphs: [
      'En tu portal están los datos. Cuando siembres, márcalo allí y sube las fotos, con el GPS prendido.',
    ],
    quote: facts.reason,
    rows: [
      ['Pedido', shortId(facts.orderId)],
      ['Árboles', es.trees(facts.trees)],
      ['Región', facts.region],
      ['Asignado', es.words.day(facts.assignedAt)],
    ],
    action: 'Abrir tu portal',
    note: es.NOTES.worker,
  }),
};
