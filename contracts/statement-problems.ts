import { addProblems } from './problems.ts';

/** Refusals that only admins see, with statements. Apart from the others, which every page of the web app loads. */
export const STATEMENT_PROBLEMS = {
  'statement-required': {
    status: 422,
    en: 'Please choose a file.',
    es: 'Elige un archivo.',
  },
  'statement-too-large': {
    status: 413,
    en: 'The file is larger than 20 MB.',
    es: 'El archivo pesa más de 20 MB.',
  },
  'statement-too-many-rows': {
    status: 422,
    en: 'The file has more than 50,000 rows.',
    es: 'El archivo tiene más de 50.000 filas.',
  },
  'statement-empty': {
    status: 422,
    en: 'There are no movements in this file.',
    es: 'En este archivo no hay movimientos.',
  },
  'statement-unreadable': {
    status: 422,
    en: 'This file is no CSV, XLSX, OFX or camt.053.',
    es: 'Este archivo no es CSV, XLSX, OFX ni camt.053.',
  },
  'statement-cut-off': {
    status: 422,
    en: 'The end of this file is missing.',
    es: 'A este archivo le falta el final.',
  },
  'statement-mixed-decimals': {
    status: 422,
    en: 'This file mixes 1.234,56 and 1,234.56.',
    es: 'Este archivo mezcla 1.234,56 y 1,234.56.',
  },
  'statement-mixed-days': {
    status: 422,
    en: 'This file mixes days such as 31/12 and 12/31.',
    es: 'Este archivo mezcla fechas como 31/12 y 12/31.',
  },
  'statement-other-account': {
    status: 422,
    en: 'This file is of another account.',
    es: 'Este archivo es de otra cuenta.',
  },
  'statement-row-unreadable': {
    status: 422,
    en: 'One line of this file cannot be read.',
    es: 'No se puede leer una línea de este archivo.',
  },
  'statement-unclear': {
    status: 409,
    en: 'Please say first how this file is read.',
    es: 'Primero indica cómo se lee este archivo.',
  },
  'statement-other-currency': {
    status: 409,
    en: 'The order is in another currency.',
    es: 'El pedido está en otra moneda.',
  },
  'statement-row-taken': {
    status: 409,
    en: 'This row was decided in the meantime.',
    es: 'Esta fila se decidió mientras tanto.',
  },
  'statement-row-unsure': {
    status: 409,
    en: 'This row is not sure any more. Please look at it by itself.',
    es: 'Esta fila ya no es segura. Revísala por separado.',
  },
  'statement-row-approved': {
    status: 409,
    en: 'An order was approved with this row.',
    es: 'Con esta fila se aprobó un pedido.',
  },
  'amount-choice-required': {
    status: 409,
    en: 'The sum is not the order’s. Choose what to do.',
    es: 'La suma no es la del pedido. Elige qué hacer.',
  },
  'amount-choice-impossible': {
    status: 409,
    en: 'This choice does not fit the sum.',
    es: 'Esta opción no corresponde a la suma.',
  },
  'split-sum-differs': {
    status: 422,
    en: 'The parts must add up to the sum.',
    es: 'Las partes deben dar la suma.',
  },
} as const;

addProblems(STATEMENT_PROBLEMS);
