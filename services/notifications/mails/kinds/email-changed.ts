import type { Role } from '@arboleda/contracts/roles.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { AccountFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { called, masked } from '../words.ts';

type Facts = AccountFacts & { role: Role; to: string; at: string };

export const emailChanged: Mail<Facts, 'account'> = {
  audience: 'account',
  nextStep: ({ role }, to) => to.portal(role),
  sample: { role: 'customer', to: 'lucia.pena@example.org', at: '2026-11-22T20:00:00Z' },

  en: (facts, name) => ({
    subject: 'Your email address was changed',
    preview: 'This is the last email to this address.',
    title: called(name, 'your email address was changed.'),
    paragraphs: [
      'Your account has another address now, and we write to that one. If it was not you, reply to this email right away.',
    ],
    rows: [
      ['New address', masked(facts.to)],
      ['Changed', en.words.moment(facts.at)],
    ],
    action: 'Open your portal',
    note: 'You are receiving this email because this address belonged to an account at Arboleda.',
  }),

  es: (facts, name) => ({
    subject: 'Cambió el correo de tu cuenta',
    preview: 'Es el último mensaje a esta dirección.',
    title: called(name, 'cambió el correo de tu cuenta.'),
    paragraphs: [
      'Tu cuenta tiene ahora otro correo, y te escribimos allá. Si no fuiste tú, responde este mensaje de inmediato.',
    ],
    rows: [
      ['Correo nuevo', masked(facts.to)],
      ['Cambio', es.words.moment(facts.at)],
    ],
    action: 'Abrir tu portal',
    note: 'Recibes este correo porque esta dirección era de una cuenta en Arboleda.',
  }),
};
