import type { Role } from '@arboleda/contracts/roles.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { LinkFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { link } from '../samples.ts';
import { called } from '../words.ts';

type Facts = LinkFacts & { role: Role };

export const resetPassword: Mail<Facts, 'account'> = {
  audience: 'account',
  nextStep: ({ role, token }, to) => to.resetPassword(role, token),
  sample: { ...link, role: 'customer' },

  en: (facts, name) => ({
    subject: 'Choose a new password',
    preview: 'The link works once.',
    title: called(name, 'choose a new password.'),
    paragraphs: [
      'Someone, hopefully you, asked for a new password. Choosing one logs you out everywhere else.',
    ],
    rows: [['Link valid until', en.words.moment(facts.expiresAt)]],
    action: 'Choose a password',
    note: en.NOTES.link,
  }),

  es: (facts, name) => ({
    subject: 'Elige una contraseña nueva',
    preview: 'El enlace sirve una sola vez.',
    title: called(name, 'elige una contraseña nueva.'),
    paragraphs: [
      'Recibimos una solicitud para cambiar tu contraseña. Al elegirla se cierran tus sesiones en los demás dispositivos.',
    ],
    rows: [['Enlace válido hasta', es.words.moment(facts.expiresAt)]],
    action: 'Elegir contraseña',
    note: es.NOTES.link,
  }),
};
