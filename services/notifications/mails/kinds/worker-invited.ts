import * as en from '../en.ts';
import * as es from '../es.ts';
import type { LinkFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { link } from '../samples.ts';
import { addressed } from '../words.ts';

type Facts = LinkFacts & { code: string };

export const workerInvited: Mail<Facts, 'account'> = {
  audience: 'account',
  nextStep: ({ token }, to) => to.resetPassword('worker', token),
  sample: { ...link, code: 'QU-014' },

  en: (facts, name) => ({
    subject: 'You are invited to plant with Arboleda',
    preview: 'Choose a password, and your portal is open.',
    title: `${addressed('Welcome', name)}. Your portal is ready.`,
    paragraphs: [
      'Choose a password. Then log in with it and your email address or your worker id; your portal shows what there is to plant.',
    ],
    rows: [
      ['Worker id', facts.code],
      ['Link valid until', en.words.moment(facts.expiresAt)],
    ],
    action: 'Choose a password',
    note: 'If you do not know why you are invited, ignore this email. Nothing will change.',
  }),

  es: (facts, name) => ({
    subject: 'Te invitamos a sembrar con Arboleda',
    preview: 'Elige una contraseña y tu portal queda abierto.',
    title: `${addressed('Hola', name)}. Tu portal está listo.`,
    paragraphs: [
      'Elige una contraseña. Después entra con ella y con tu correo o tu código; tu portal muestra lo que hay por sembrar.',
    ],
    rows: [
      ['Código', facts.code],
      ['Enlace válido hasta', es.words.moment(facts.expiresAt)],
    ],
    action: 'Elegir contraseña',
    note: 'Si no sabes por qué te invitaron, ignora este correo. No pasa nada.',
  }),
};
