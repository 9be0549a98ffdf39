import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import * as en from '../en.ts';
import * as es from '../es.ts';
import type { AccountFacts } from '../facts.ts';
import type { Mail } from '../mail.ts';
import { called } from '../words.ts';

/** `by`: the owner's name; absent when an operator did it. */
type Facts = AccountFacts & {
  adminRole: AdminRole;
  active: boolean;
  by?: string | undefined;
  at: string;
};

export const adminRoleChanged: Mail<Facts, 'account'> = {
  audience: 'account',
  nextStep: (_facts, to) => to.portal('admin'),
  sample: {
    adminRole: 'coordinator',
    active: true,
    by: 'Lucía Restrepo',
    at: '2026-11-22T20:00:00Z',
  },

  en: ({ adminRole, active, by, at }, name) => {
    const role = en.ADMIN_ROLE_NAMES[adminRole];
    return {
      subject: active ? `Your role is now ${role}` : 'Your access to the dashboard has ended',
      preview: active ? 'Log in again to go on.' : 'Your account was deactivated.',
      title: called(name, active ? `your role is now ${role}.` : 'your access to the dashboard has ended.'),
      paragraphs: [
        active
          ? 'All sessions from before have ended. Log in again to go on with your new role.'
          : 'Your account was deactivated, and all its sessions have ended.',
        'If this is a mistake, reply to this email.',
      ],
      rows: [
        ...(active ? [['Your role', role] as const] : []),
        ...(by === undefined ? [] : [['Changed by', by] as const]),
        ['Changed', en.words.moment(at)],
      ],
      action: 'Open the dashboard',
      note: 'You are receiving this email because you have an account at Arboleda.',
    };
  },

  es: ({ adminRole, active, by, at }, name) => {
    const role = es.ADMIN_ROLE_NAMES[adminRole];
    return {
      subject: active ? `Tu rol ahora es ${role}` : 'Terminó tu acceso al panel',
      preview: active ? 'Vuelve a entrar para continuar.' : 'Tu cuenta se desactivó.',
      title: called(name, active ? `tu rol ahora es ${role}.` : 'terminó tu acceso al panel.'),
      paragraphs: [
        active
          ? 'Se cerraron todas las sesiones anteriores. Vuelve a entrar para continuar con tu nuevo rol.'
          : 'Tu cuenta se desactivó y se cerraron todas sus sesiones.',
        'Si es un error, responde este mensaje.',
      ],
      rows: [
        ...(active ? [['Tu rol', role] as const] : []),
        ...(by === undefined ? [] : [['Lo cambió', by] as const]),
        ['Cambio', es.words.moment(at)],
      ],
      action: 'Abrir el panel',
      note: 'Recibes este correo porque tienes una cuenta en Arboleda.',
    };
  },
};
