import type { Language } from './roles.ts';

interface ProblemKind {
  status: number;
  en: string;
  es: string;
}

/** Every refusal has a slug, a status and a sentence in both languages. The slug is also the web's i18n key. */
// prettier-ignore
export const PROBLEMS = {
  'validation-failed': { status: 422, en: 'Please check the marked fields.', es: 'Revisa los campos marcados.' },
  'malformed-json': { status: 400, en: 'The request is not valid JSON.', es: 'La solicitud no es JSON válido.' },
  'malformed-request': { status: 400, en: 'The request could not be read.', es: 'No se pudo leer la solicitud.' },
  'body-too-large': { status: 413, en: 'The request is too large.', es: 'La solicitud es demasiado grande.' },
  'unsupported-media-type': { status: 415, en: 'This kind of content is not accepted here.', es: 'Aquí no se acepta este tipo de contenido.' },
  unauthenticated: { status: 401, en: 'Please log in.', es: 'Inicia sesión.' },
  forbidden: { status: 403, en: 'You may not do this.', es: 'No tienes permiso para hacer esto.' },
  'not-found': { status: 404, en: 'There is nothing here.', es: 'Aquí no hay nada.' },
  'method-not-allowed': { status: 405, en: 'This cannot be done here.', es: 'Esto no se puede hacer aquí.' },
  conflict: { status: 409, en: 'This was changed meanwhile. Please load it again.', es: 'Esto cambió mientras tanto. Cárgalo de nuevo.' },
  'too-many-requests': { status: 429, en: 'Too many attempts. Please wait a moment.', es: 'Demasiados intentos. Espera un momento.' },
  internal: { status: 500, en: 'Something failed on our side. Please try again.', es: 'Algo falló de nuestro lado. Inténtalo de nuevo.' },
  unavailable: { status: 503, en: 'This is not available right now. Please try again shortly.', es: 'Esto no está disponible en este momento. Inténtalo de nuevo en un momento.' },
  timeout: { status: 504, en: 'This took too long. Please try again.', es: 'Esto tardó demasiado. Inténtalo de nuevo.' },
  'invalid-credentials': { status: 401, en: 'This email and password do not match.', es: 'Este correo y esta contraseña no coinciden.' },
  'email-taken': { status: 409, en: 'There is an account with this email already. Log in instead.', es: 'Ya hay una cuenta con este correo. Inicia sesión.' },
  'link-invalid': { status: 400, en: 'This link has expired or was used before.', es: 'Este enlace venció o ya se usó.' },
  'quote-expired': { status: 409, en: 'This price has expired. Please look at the new one.', es: 'Este precio venció. Mira el precio nuevo.' },
  'quote-invalid': { status: 422, en: 'This price was not quoted by us.', es: 'Este precio no fue cotizado por nosotros.' },
  'idempotency-conflict': { status: 409, en: 'This payment was started with other details. Please start again.', es: 'Este pago se inició con otros datos. Empieza de nuevo.' },
  'payment-provider-failed': { status: 502, en: 'Failed to create payment intent.', es: 'No se pudo iniciar el pago.' },
  'signature-invalid': { status: 400, en: 'The signature is not valid.', es: 'La firma no es válida.' },
  'transition-not-allowed': { status: 409, en: 'This step is not possible in the current status.', es: 'Este paso no es posible en el estado actual.' },
  'photos-not-yet': { status: 409, en: 'Mark the trees as planted first.', es: 'Primero marca los árboles como sembrados.' },
  'photo-not-an-image': { status: 422, en: 'This file is not a JPEG, PNG, GIF or WebP photo.', es: 'Este archivo no es una foto JPEG, PNG, GIF o WebP.' },
  'photo-damaged': { status: 422, en: 'This photo is damaged. Please take it again.', es: 'Esta foto está dañada. Tómala de nuevo.' },
  'photo-too-large': { status: 413, en: 'This photo is larger than 15 MB.', es: 'Esta foto pesa más de 15 MB.' },
  'photo-too-many-pixels': { status: 422, en: 'This photo has too many pixels.', es: 'Esta foto tiene demasiados píxeles.' },
  'precondition-failed': { status: 412, en: 'This was changed meanwhile. Please load it again.', es: 'Esto cambió mientras tanto. Cárgalo de nuevo.' },
  'range-not-satisfiable': { status: 416, en: 'This part of the file does not exist.', es: 'Esta parte del archivo no existe.' },
  'too-many-files': { status: 422, en: 'Too many files at once.', es: 'Demasiados archivos a la vez.' },
} as const satisfies Record<string, ProblemKind>;

export type ProblemType = keyof typeof PROBLEMS;

/** Why a field was refused, in both languages. */
// prettier-ignore
export const FIELD_PROBLEMS = {
  required: { en: 'Please fill this in.', es: 'Completa este campo.' },
  'invalid-email': { en: 'This is not an email address. Example: name@mail.com', es: 'Esto no es un correo. Ejemplo: nombre@correo.com' },
  'too-short': { en: 'This is too short.', es: 'Es demasiado corto.' },
  'too-long': { en: 'This is too long.', es: 'Es demasiado largo.' },
  'too-small': { en: 'This number is too small.', es: 'Este número es demasiado pequeño.' },
  'too-big': { en: 'This number is too big.', es: 'Este número es demasiado grande.' },
  'not-an-integer': { en: 'Please enter a whole number.', es: 'Escribe un número entero.' },
  'unknown-value': { en: 'This is not one of the choices.', es: 'Esta no es una de las opciones.' },
  'common-password': { en: 'This password is too easy to guess.', es: 'Esta contraseña es muy fácil de adivinar.' },
  invalid: { en: 'This is not valid.', es: 'Esto no es válido.' },
} as const satisfies Record<string, { en: string; es: string }>;

export type FieldProblemType = keyof typeof FIELD_PROBLEMS;

export interface FieldProblem {
  /** Where: "customerEmail", "photos.1". */
  path: string;
  type: FieldProblemType | ProblemType;
  message: string;
}

/** The body of every refusal: RFC 9457 with our members; `error` and `message` are the product spec's own fields. */
export interface ProblemBody {
  type: ProblemType;
  title: string;
  status: number;
  detail?: string;
  errors?: FieldProblem[];
  correlationId?: string;
  error: string;
  /** The title once more: some of the product spec's calls name it so. */
  message: string;
}

export const problemTitle = (type: ProblemType, language: Language): string => PROBLEMS[type][language];
export const fieldProblemTitle = (type: FieldProblemType | ProblemType, language: Language): string =>
  type in FIELD_PROBLEMS
    ? FIELD_PROBLEMS[type as FieldProblemType][language]
    : PROBLEMS[type as ProblemType][language];

export interface FieldFault {
  path: string;
  type: FieldProblemType | ProblemType;
}

/** A refusal as a value; HTTP and words are given to it at the edge, in the reader's language. */
export class Problem extends Error {
  readonly type: ProblemType;
  readonly fields: readonly FieldFault[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    type: ProblemType,
    options: {
      fields?: readonly FieldFault[];
      detail?: string;
      retryAfterSeconds?: number;
      cause?: unknown;
    } = {},
  ) {
    super(options.detail ?? type, { cause: options.cause });
    this.name = 'Problem';
    this.type = type;
    this.fields = options.fields ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return PROBLEMS[this.type].status;
  }
}

/** A problem of one field. */
export const fieldProblem = (path: string, type: FieldProblemType | ProblemType): Problem =>
  new Problem('validation-failed', { fields: [{ path, type }] });
