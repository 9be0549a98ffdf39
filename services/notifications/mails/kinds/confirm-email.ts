import * as en from '../en.ts';
import * as es from '../es.ts';
import type { LinkFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { link } from '../samples.ts';
import { called } from '../words.ts';

type Facts = LinkFacts & { email: string };

export const confirmEmail: Mail<Facts, 'account'> = {
  audience: 'account',
  nextStep: ({ token }, to) => to.confirmEmail(token),
  sample: { ...link, email: 'lucia.pena@example.org' },

  en: (facts, name) => ({
    subject: 'Confirm your new email address',
    preview: 'Until then, your old address stays.',
    title: called(name, 'is this your new address?'),
    paragraphs: ['Confirm it, and you log in with it from then on. Until then, your old address stays.'],
    rows: [
      ['New address', facts.email],
      ['Link valid until', en.words.moment(facts.expiresAt)],
    ],
    action: 'Confirm this address',
    note: en.NOTES.link,
  }),

  es: (facts, name) => ({
    subject: 'Confirma tu correo nuevo',
    preview: 'Mientras tanto sigue tu correo anterior.',
    title: called(name, '¿este es tu correo nuevo?'),
    paragraphs: ['Confírmalo, y desde ese momento entras con él. Mientras tanto sigue tu correo anterior.'],
    rows: [
      ['Correo nuevo', facts.email],
      ['Enlace válido hasta', es.words.moment(facts.expiresAt)],
    ],
    action: 'Confirmar este correo',
    note: es.NOTES.link,
  }),
};
