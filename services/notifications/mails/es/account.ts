import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import type { Texts } from '../content.ts';
import { addressed, called, masked } from '../words.ts';
import { NOTES, words } from './words.ts';

/** Como en la pestaña Equipo. */
const ADMIN_ROLE_NAMES: Record<AdminRole, string> = {
  owner: 'Dirección',
  finance: 'Finanzas',
  coordinator: 'Coordinación',
  support: 'Atención',
  auditor: 'Auditoría',
};

/** A quien tiene una cuenta, o va a tenerla. */
export const account: Texts<
  | 'verify-email'
  | 'reset-password'
  | 'worker-invited'
  | 'admin-invited'
  | 'admin-role-changed'
  | 'confirm-email'
  | 'email-changed'
  | 'password-changed'
  | 'second-factor-changed'
> = {
  'verify-email': (facts, name) => ({
    subject: 'Verifica tu correo',
    preview: 'Un paso, y tus pedidos aparecen en tu portal.',
    title: called(name, '¿este es tu correo?'),
    paragraphs: [
      'Verifícalo, y los pedidos que se compraron con él aparecen en tu portal. Si te pide iniciar sesión, entra con la cuenta que acabas de abrir.',
    ],
    rows: [['Enlace válido hasta', words.moment(facts.expiresAt)]],
    action: 'Verificar este correo',
    note: 'Si no abriste una cuenta en Arboleda, ignora este correo y no uses el enlace. No pasa nada.',
  }),

  'reset-password': (facts, name) => ({
    subject: 'Elige una contraseña nueva',
    preview: 'El enlace sirve una sola vez.',
    title: called(name, 'elige una contraseña nueva.'),
    paragraphs: [
      'Recibimos una solicitud para cambiar tu contraseña. Al elegirla se cierran tus sesiones en los demás dispositivos.',
    ],
    rows: [['Enlace válido hasta', words.moment(facts.expiresAt)]],
    action: 'Elegir contraseña',
    note: NOTES.link,
  }),

  'worker-invited': (facts, name) => ({
    subject: 'Te invitamos a sembrar con Arboleda',
    preview: 'Elige una contraseña y tu portal queda abierto.',
    title: `${addressed('Hola', name)}. Tu portal está listo.`,
    paragraphs: [
      'Elige una contraseña. Después entra con ella y con tu correo o tu código; tu portal muestra lo que hay por sembrar.',
    ],
    rows: [
      ['Código', facts.code],
      ['Enlace válido hasta', words.moment(facts.expiresAt)],
    ],
    action: 'Elegir contraseña',
    note: 'Si no sabes por qué te invitaron, ignora este correo. No pasa nada.',
  }),

  'admin-invited': (facts, name) => ({
    subject: 'Te invitamos al panel de Arboleda',
    preview: 'Elige una contraseña y ya puedes entrar.',
    title: `${addressed('Hola', name)}. Tu cuenta está lista.`,
    paragraphs: ['Elige una contraseña. Después entra con ella y con tu correo.'],
    rows: [
      ['Tu rol', ADMIN_ROLE_NAMES[facts.adminRole]],
      ['Enlace válido hasta', words.moment(facts.expiresAt)],
    ],
    action: 'Elegir contraseña',
    note: 'Si no sabes por qué te invitaron, ignora este correo. No pasa nada.',
  }),

  'admin-role-changed': ({ adminRole, active, by, at }, name) => {
    const role = ADMIN_ROLE_NAMES[adminRole];
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
        ['Cambio', words.moment(at)],
      ],
      action: 'Abrir el panel',
      note: 'Recibes este correo porque tienes una cuenta en Arboleda.',
    };
  },

  'confirm-email': (facts, name) => ({
    subject: 'Confirma tu correo nuevo',
    preview: 'Mientras tanto sigue tu correo anterior.',
    title: called(name, '¿este es tu correo nuevo?'),
    paragraphs: ['Confírmalo, y desde ese momento entras con él. Mientras tanto sigue tu correo anterior.'],
    rows: [
      ['Correo nuevo', facts.email],
      ['Enlace válido hasta', words.moment(facts.expiresAt)],
    ],
    action: 'Confirmar este correo',
    note: NOTES.link,
  }),

  'email-changed': (facts, name) => ({
    subject: 'Cambió el correo de tu cuenta',
    preview: 'Es el último mensaje a esta dirección.',
    title: called(name, 'cambió el correo de tu cuenta.'),
    paragraphs: [
      'Tu cuenta tiene ahora otro correo, y te escribimos allá. Si no fuiste tú, responde este mensaje de inmediato.',
    ],
    rows: [
      ['Correo nuevo', masked(facts.to)],
      ['Cambio', words.moment(facts.at)],
    ],
    action: 'Abrir tu portal',
    note: 'Recibes este correo porque esta dirección era de una cuenta en Arboleda.',
  }),

  'password-changed': (facts, name) => ({
    subject: 'Cambió tu contraseña',
    preview: 'Si fuiste tú, no hay nada que hacer.',
    title: called(name, 'cambió tu contraseña.'),
    paragraphs: [
      'Si fuiste tú, no hay nada que hacer. Si no, abre tu portal, elige «¿Olvidaste tu contraseña?» y pon una nueva de inmediato.',
    ],
    rows: [['Cambio', words.moment(facts.at)]],
    action: 'Abrir tu portal',
    note: 'Recibes este correo porque tienes una cuenta en Arboleda.',
  }),

  'second-factor-changed': (facts, name) => ({
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
    rows: [['Cambio', words.moment(facts.at)]],
    action: 'Abrir tu portal',
    note: 'Recibes este correo porque tienes una cuenta en Arboleda.',
  }),
};
