import type { Role } from '@arboleda/contracts/roles.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { AccountFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { called } from '../words.ts';

type Facts = AccountFacts & { role: Role; at: string };

export const passwordChanged: Mail<Facts, 'account'> = {
  audience: 'account',
  nextStep: ({ role }, to) => to.portal(role),
  sample: { role: 'customer', at: '2026-11-22T20:00:00Z' },

  en: (facts, name) => ({
    subject: 'Your password was changed',
    preview: 'If it was you, there is nothing to do.',
    title: called(name, 'your password was changed.'),
    paragraphs: [
      'If it was you, there is nothing to do. If not, open your portal, choose “Forgot your password?” and set a new one at once.',
    ],
    rows: [['Changed', en.words.moment(facts.at)]],
    action: 'Open your portal',
    note: 'You are receiving this email because you have an account at Arboleda.',
  }),

  es: (facts, name) => ({
    subject: 'Cambió tu contraseña',
    preview: 'Si fuiste tú, no hay nada que hacer.',
    title: called(name, 'cambió tu contraseña.'),
    paragraphs: [
      'Si fuiste tú, no hay nada que hacer. Si no, abre tu portal, elige «¿Olvidaste tu contraseña?» y pon una nueva de inmediato.',
    ],
    rows: [['Cambio', es.words.moment(facts.at)]],
    action: 'Abrir tu portal',
    note: 'Recibes este correo porque tienes una cuenta en Arboleda.',
  }),
};
