import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { LinkFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { link } from '../samples.ts';
import { addressed } from '../words.ts';

type Facts = LinkFacts & { adminRole: AdminRole };

export const adminInvited: Mail<Facts, 'account'> = {
  audience: 'account',
  nextStep: ({ token }, to) => to.resetPassword('admin', token),
  sample: { ...link, adminRole: 'finance' },

  en: (facts, name) => ({
    subject: 'You are invited to Arboleda’s dashboard',
    preview: 'Choose a password, and you can log in.',
    title: `${addressed('Welcome', name)}. Your account is ready.`,
    paragraphs: ['Choose a password. Then log in with it and your email address.'],
    rows: [
      ['Your role', en.ADMIN_ROLE_NAMES[facts.adminRole]],
      ['Link valid until', en.words.moment(facts.expiresAt)],
    ],
    action: 'Choose a password',
    note: 'If you do not know why you are invited, ignore this email. Nothing will change.',
  }),

  es: (facts, name) => ({
    subject: 'Te invitamos al panel de Arboleda',
    preview: 'Elige una contraseña y ya puedes entrar.',
    title: `${addressed('Hola', name)}. Tu cuenta está lista.`,
    paragraphs: ['Elige una contraseña. Después entra con ella y con tu correo.'],
    rows: [
      ['Tu rol', es.ADMIN_ROLE_NAMES[facts.adminRole]],
      ['Enlace válido hasta', es.words.moment(facts.expiresAt)],
    ],
    action: 'Elegir contraseña',
    note: 'Si no sabes por qué te invitaron, ignora este correo. No pasa nada.',
  }),
};
