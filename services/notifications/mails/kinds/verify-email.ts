import * as en from '../en.ts';
import * as es from '../es.ts';
import type { LinkFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { link } from '../samples.ts';
import { called } from '../words.ts';

type Facts = LinkFacts;

export const verifyEmail: Mail<Facts, 'account'> = {
  audience: 'account',
  nextStep: ({ token }, to) => to.verifyEmail(token),
  sample: link,

  en: (facts, name) => ({
    subject: 'Verify your email address',
    preview: 'One step, and your orders appear in your portal.',
    title: called(name, 'is this your address?'),
    paragraphs: [
      'Verify it, and the orders that were bought with it appear in your portal. If you are asked to log in, use the account you just opened.',
    ],
    rows: [['Link valid until', en.words.moment(facts.expiresAt)]],
    action: 'Verify this address',
    note: 'If you opened no account at Arboleda, ignore this email and do not use the link. Nothing will change.',
  }),

  es: (facts, name) => ({
    subject: 'Verifica tu correo',
    preview: 'Un paso, y tus pedidos aparecen en tu portal.',
    title: called(name, '¿este es tu correo?'),
    paragraphs: [
      'Verifícalo, y los pedidos que se compraron con él aparecen en tu portal. Si te pide iniciar sesión, entra con la cuenta que acabas de abrir.',
    ],
    rows: [['Enlace válido hasta', es.words.moment(facts.expiresAt)]],
    action: 'Verificar este correo',
    note: 'Si no abriste una cuenta en Arboleda, ignora este correo y no uses el enlace. No pasa nada.',
  }),
};
