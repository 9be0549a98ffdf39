import { addProblems } from './problems.ts';

/** Refusals that only admins see. Apart from the others, which every page of the web app loads. */
export const ADMIN_PROBLEMS = {
  'step-up-required': {
    status: 403,
    en: 'Please enter the code of your authenticator app to go on.',
    es: 'Escribe el código de tu aplicación de autenticación para continuar.',
  },
} as const;

addProblems(ADMIN_PROBLEMS);
