/** Refusals that only admins see. Apart from the others, which every page of the web app loads. */
export const ADMIN_PROBLEMS = {
  'step-up-required': {
    status: 403,
    en: 'Please enter the code of your authenticator app to go on.',
    es: 'Escribe el código de tu aplicación de autenticación para continuar.',
  },
  'second-factor-needed': {
    status: 403,
    en: 'Turn on two-factor login first: only owners who have it manage admins.',
    es: 'Primero activa la verificación en dos pasos: solo con ella se administran las personas del equipo.',
  },
  'own-role': {
    status: 409,
    en: 'You cannot change your own role or deactivate yourself. Ask another owner.',
    es: 'No puedes cambiar tu propio rol ni desactivarte. Pídelo a otra persona con el rol de dirección.',
  },
  'last-owner': {
    status: 409,
    en: 'You are the last owner with two-factor login. Another owner must turn it on first.',
    es: 'Solo tu cuenta tiene el rol de dirección con verificación en dos pasos. Primero debe activarla otra persona con ese rol.',
  },
  'admin-email-taken': {
    status: 409,
    en: 'There is an admin with this email already.',
    es: 'Ya hay alguien en el equipo con este correo.',
  },
  'admin-inactive': {
    status: 409,
    en: 'This admin is not active.',
    es: 'Esta persona no está activa.',
  },
  'admin-has-joined': {
    status: 409,
    en: 'This admin has accepted the invitation. Deactivate them instead.',
    es: 'Esta persona ya aceptó la invitación. Desactívala.',
  },
} as const;
