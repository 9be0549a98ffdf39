import type { Role } from '@arboleda/contracts/roles.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { AccountFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { called } from '../words.ts';

type Facts = AccountFacts & { role: Role; enabled: boolean; at: string };

export const secondFactorChanged: Mail<Facts, 'account'> = {
  audience: 'account',
  nextStep: ({ role }, to) => to.portal(role),
  sample: { role: 'admin', enabled: false, at: '2026-11-22T20:00:00Z' },

  en: (facts, name) => ({
    subject: facts.enabled ? 'Two-factor login was switched on' : 'Two-factor login was switched off',
    preview: 'If it was you, there is nothing to do.',
    title: called(
      name,
      facts.enabled
        ? 'two-factor login is on for your account.'
        : 'two-factor login is off for your account.',
    ),
    paragraphs: [
      facts.enabled
        ? 'From now on you need a code of your authenticator app to log in. All sessions from before have ended.'
        : 'From now on your password alone is enough to log in. All sessions from before have ended.',
      'If it was not you, open your portal, choose “Forgot your password?” and set a new one at once; then reply to this email.',
    ],
    rows: [['Changed', en.words.moment(facts.at)]],
    action: 'Open your portal',
    note: 'You are receiving this email because you have an account at Arboleda.',
  }),

  es: (facts, name) => ({
    subject: facts.enabled
      ? 'Se activó la verificación en dos pasos'
      : 'Se desactivó la verificación en dos pasos',
    preview: 'Si fuiste tú, no hay nada que hacer.',
    title: called(
      name,
      facts.enabled
        ? 'se activó la verificación en dos pasos en tu cuenta.'
        : 'se desactivó la verificación en dos pasos en tu cuenta.',
    ),
    paragraphs: [
      facts.enabled
        ? 'Desde ahora necesitas un código de tu aplicación de autenticación para entrar. Se cerraron todas las sesiones anteriores.'
        : 'Desde ahora basta tu contraseña para entrar. Se cerraron todas las sesiones anteriores.',
      'Si no fuiste tú, abre tu portal, elige «¿Olvidaste tu contraseña?» y pon una nueva de inmediato; después responde este mensaje.',
    ],
    rows: [['Cambio', es.words.moment(facts.at)]],
    action: 'Abrir tu portal',
    note: 'Recibes este correo porque tienes una cuenta en Arboleda.',
  }),
};
