import type { ADMIN_PROBLEMS } from './admin-problems.ts';
import type { Language } from './roles.ts';
import type { STATEMENT_PROBLEMS } from './statement-problems.ts';

export interface ProblemKind {
  status: number;
  en: string;
  es: string;
  /** The product spec's message, which programs read as `error`. People read a sentence that says what to do. */
  spec?: { en: string; es: string };
}

/**
 * Refusals that everybody may see. Each has a slug, a status and a sentence in both languages. Those that only admins see are in
 * files of their own, so that pages do not load them; problem-kinds.ts has all of them.
 */
export const PROBLEMS = {
  'validation-failed': {
    status: 422,
    en: 'Please check the marked fields.',
    es: 'Revisa los campos marcados.',
  },
  'malformed-json': {
    status: 400,
    en: 'The request is not valid JSON.',
    es: 'La solicitud no es JSON válido.',
  },
  'malformed-request': {
    status: 400,
    en: 'The request could not be read.',
    es: 'No se pudo leer la solicitud.',
  },
  'body-too-large': { status: 413, en: 'The request is too large.', es: 'La solicitud es demasiado grande.' },
  'unsupported-media-type': {
    status: 415,
    en: 'This kind of content is not accepted here.',
    es: 'Aquí no se acepta este tipo de contenido.',
  },
  unauthenticated: { status: 401, en: 'Please log in.', es: 'Inicia sesión.' },
  forbidden: { status: 403, en: 'You may not do this.', es: 'No tienes permiso para hacer esto.' },
  'not-found': { status: 404, en: 'There is nothing here.', es: 'Aquí no hay nada.' },
  'method-not-allowed': { status: 405, en: 'This cannot be done here.', es: 'Esto no se puede hacer aquí.' },
  conflict: {
    status: 409,
    en: 'This was changed in the meantime. Please load it again.',
    es: 'Esto cambió mientras tanto. Cárgalo de nuevo.',
  },
  'too-many-requests': {
    status: 429,
    en: 'Too many attempts. Please wait a moment.',
    es: 'Demasiados intentos. Espera un momento.',
  },
  internal: {
    status: 500,
    en: 'Something failed on our side. Please try again.',
    es: 'Algo falló de nuestro lado. Inténtalo de nuevo.',
  },
  unavailable: {
    status: 503,
    en: 'This is not available right now. Please try again shortly.',
    es: 'Esto no está disponible en este momento. Inténtalo de nuevo en un momento.',
  },
  overloaded: {
    status: 503,
    en: 'We have a lot of visitors right now. Please try again shortly.',
    es: 'En este momento tenemos muchas visitas. Inténtalo de nuevo en un momento.',
  },
  timeout: {
    status: 503,
    en: 'This took too long. Please try again.',
    es: 'Esto tardó demasiado. Inténtalo de nuevo.',
  },
  'invalid-credentials': {
    status: 401,
    en: 'This email and password do not match.',
    es: 'Este correo y esta contraseña no coinciden.',
  },
  'email-taken': {
    status: 409,
    en: 'There is an account with this email already. Log in instead.',
    es: 'Ya hay una cuenta con este correo. Inicia sesión.',
  },
  'link-invalid': {
    status: 400,
    en: 'This link has expired or was used before.',
    es: 'Este enlace venció o ya se usó.',
  },
  'receipt-erased': {
    status: 410,
    en: 'The personal data of this order was erased, so its receipt is no longer available.',
    es: 'Los datos personales de este pedido se borraron, así que su recibo ya no está disponible.',
  },
  'certificate-unknown': {
    status: 404,
    en: 'There is no certificate with this code.',
    es: 'No hay ningún certificado con este código.',
  },
  'certificate-mistyped': {
    status: 404,
    en: 'This is not a certificate’s code. Check it letter by letter.',
    es: 'Este no es un código de certificado. Revísalo letra por letra.',
  },
  'certificate-superseded': {
    status: 409,
    en: 'There is a newer version of this certificate.',
    es: 'Hay una versión más reciente de este certificado.',
  },
  'certificate-revoked': {
    status: 409,
    en: 'This certificate was revoked.',
    es: 'Este certificado fue revocado.',
  },
  'certificate-not-yet': {
    status: 409,
    en: 'There is a certificate as soon as the trees are planted.',
    es: 'El certificado estará listo en cuanto los árboles estén sembrados.',
  },
  'certificate-erased': {
    status: 410,
    en: 'The personal data of this order was erased, so its certificate can no longer be changed.',
    es: 'Los datos personales de este pedido se borraron, así que su certificado ya no se puede cambiar.',
  },
  'gift-sent': {
    status: 409,
    en: 'This gift has been sent, so it can no longer be changed.',
    es: 'Este regalo ya se envió, así que no se puede cambiar.',
  },
  'gift-claimed': {
    status: 409,
    en: 'This gift is in someone’s account already.',
    es: 'Este regalo ya está en la cuenta de alguien.',
  },
  'gift-cancelled': {
    status: 410,
    en: 'This gift was cancelled.',
    es: 'Este regalo se canceló.',
  },
  'gift-erased': {
    status: 410,
    en: 'The personal data of this gift was erased.',
    es: 'Los datos personales de este regalo se borraron.',
  },
  'gift-not-sent': {
    status: 409,
    en: 'This gift has not been sent by email, so it cannot be sent again.',
    es: 'Este regalo no se ha enviado por correo, así que no se puede reenviar.',
  },
  'gift-sent-today': {
    status: 409,
    en: 'This gift was sent today. You can send it again tomorrow.',
    es: 'Este regalo se envió hoy. Puedes reenviarlo mañana.',
  },
  'gift-thanked': {
    status: 409,
    en: 'Thanks for this gift have been sent already.',
    es: 'Ya se dieron las gracias por este regalo.',
  },
  'too-many-gifts': {
    status: 422,
    en: 'Too many gifts for one day. Choose another day.',
    es: 'Son demasiados regalos para un solo día. Elige otro día.',
  },
  'quote-expired': {
    status: 409,
    en: 'This price has expired. Please look at the new one.',
    es: 'Este precio venció. Mira el precio nuevo.',
  },
  'quote-invalid': {
    status: 422,
    en: 'This price was not quoted by us.',
    es: 'Este precio no fue cotizado por nosotros.',
  },
  'idempotency-conflict': {
    status: 409,
    en: 'This payment was started with other details. Please start again.',
    es: 'Este pago se inició con otros datos. Empieza de nuevo.',
  },
  'payment-provider-failed': {
    status: 502,
    en: 'We could not start the payment. Nothing was charged. Try again.',
    es: 'No pudimos iniciar el pago. No se cobró nada. Intenta de nuevo.',
    spec: { en: 'Failed to create payment intent.', es: 'No se pudo iniciar el pago.' },
  },
  'signature-invalid': { status: 400, en: 'The signature is not valid.', es: 'La firma no es válida.' },
  'transition-not-allowed': {
    status: 409,
    en: 'This step is not possible in the current status.',
    es: 'Este paso no es posible en el estado actual.',
  },
  'photos-not-yet': {
    status: 409,
    en: 'Mark the trees as planted first.',
    es: 'Primero marca los árboles como sembrados.',
  },
  'photo-not-an-image': {
    status: 422,
    en: 'This file is not a JPEG, PNG, GIF, WebP or AVIF photo.',
    es: 'Este archivo no es una foto JPEG, PNG, GIF, WebP o AVIF.',
  },
  'photo-heic-unreadable': {
    status: 422,
    en: 'This photo is in a format (HEIC) that we cannot read. Set the camera to JPEG (“most compatible”) and take it again.',
    es: 'Esta foto está en un formato (HEIC) que no podemos leer. Configura la cámara en JPEG («más compatible») y tómala de nuevo.',
  },
  'growth-visit-not-due': {
    status: 409,
    en: 'This visit is not due yet. It can be done up to two weeks early.',
    es: 'Todavía no es la fecha de esta visita. Se puede hacer desde dos semanas antes.',
  },
  'photo-damaged': {
    status: 422,
    en: 'This photo is damaged. Please take it again.',
    es: 'Esta foto está dañada. Tómala de nuevo.',
  },
  'photo-unshowable': {
    status: 422,
    en: 'This photo could not be shown. Please take it again.',
    es: 'No se pudo mostrar esta foto. Tómala de nuevo.',
  },
  'photo-too-large': {
    status: 413,
    en: 'This photo is larger than 15 MB.',
    es: 'Esta foto pesa más de 15 MB.',
  },
  'photo-too-many-pixels': {
    status: 422,
    en: 'This photo has too many pixels.',
    es: 'Esta foto tiene demasiados píxeles.',
  },
  'precondition-failed': {
    status: 412,
    en: 'This was changed in the meantime. Please load it again.',
    es: 'Esto cambió mientras tanto. Cárgalo de nuevo.',
  },
  'range-not-satisfiable': {
    status: 416,
    en: 'This part of the file does not exist.',
    es: 'Esta parte del archivo no existe.',
  },
  'too-many-files': { status: 422, en: 'Too many files at once.', es: 'Demasiados archivos a la vez.' },
  'nothing-to-refund': {
    status: 409,
    en: 'There is nothing left to refund of this payment.',
    es: 'No queda nada por reembolsar de este pago.',
  },
  'refund-in-hand': {
    status: 409,
    en: 'A refund of this payment is in progress. Please wait until it is done.',
    es: 'Hay un reembolso de este pago en curso. Espera a que termine.',
  },
  'refund-refused': {
    status: 409,
    en: 'The payment provider refused this refund.',
    es: 'El proveedor de pagos rechazó este reembolso.',
  },
  'checkout-session-failed': {
    status: 502,
    en: 'We could not open the payment page. Nothing was charged. Try again.',
    es: 'No pudimos abrir la página de pago. No se cobró nada. Intenta de nuevo.',
    spec: { en: 'Failed to create checkout session', es: 'No se pudo iniciar el pago' },
  },
  'photo-packages-not-offered': {
    status: 409,
    en: 'Growth updates cannot be bought here at the moment.',
    es: 'Por ahora no se pueden comprar novedades de crecimiento.',
  },
  'photo-package-active': {
    status: 409,
    en: 'This order has growth updates already.',
    es: 'Este pedido ya tiene novedades de crecimiento.',
  },
  'order-unpaid': {
    status: 409,
    en: 'The payment of this order has not been approved.',
    es: 'El pago de este pedido no ha sido aprobado.',
  },
  'order-refunded': {
    status: 409,
    en: 'The money of this order went back.',
    es: 'El dinero de este pedido se devolvió.',
  },
  'refund-begun': {
    status: 409,
    en: 'The money of this order is on its way back, so it can no longer be kept.',
    es: 'El dinero de este pedido ya se está devolviendo, así que ya no se puede conservar.',
  },
  'order-withdrawing': {
    status: 409,
    en: 'This purchase was cancelled, so growth updates cannot be bought for it.',
    es: 'Hay un retracto de esta compra, así que no se le pueden comprar novedades de crecimiento.',
  },
  'order-disputed': {
    status: 409,
    en: 'The bank is deciding about this payment. Write to us instead.',
    es: 'El banco está decidiendo sobre este pago. Mejor escríbenos.',
  },
  'withdrawal-planted': {
    status: 409,
    en: 'These trees are planted already, so the purchase can no longer be cancelled.',
    es: 'Estos árboles ya se sembraron, así que ya no puedes retractarte de la compra.',
  },
  'withdrawal-too-late': {
    status: 409,
    en: 'The time to cancel has passed: 14 days, or five business days where they end later.',
    es: 'El plazo para retractarte ya pasó: 14 días, o cinco días hábiles si terminan después.',
  },
  'withdrawal-erased': {
    status: 410,
    en: 'The personal data of this order was erased, so it can no longer be cancelled here.',
    es: 'Los datos personales de este pedido se borraron, así que aquí ya no es posible retractarse.',
  },
  'withdrawal-open': {
    status: 409,
    en: 'The donor cancelled this purchase. Refund it, or keep the order first.',
    es: 'El donante se retracta de esta compra. Reembólsala o conserva primero el pedido.',
  },
  'return-open': {
    status: 409,
    en: 'The bank may have taken back the money of this order. Decide on the debit under Bank statements first.',
    es: 'Es posible que el banco haya devuelto el dinero de este pedido. Decide primero sobre el débito en Extractos bancarios.',
  },
  'email-not-verified': {
    status: 403,
    en: 'Please confirm your email address first.',
    es: 'Primero confirma tu correo.',
  },
  'second-factor-required': {
    status: 401,
    en: 'Please enter the code of your authenticator app.',
    es: 'Escribe el código de tu aplicación de autenticación.',
  },
  'second-factor-invalid': {
    status: 401,
    en: 'This code is not valid, or was used before.',
    es: 'Este código no es válido o ya se usó.',
  },
  'second-factor-on': {
    status: 409,
    en: 'Two-factor login is on already.',
    es: 'La verificación en dos pasos ya está activada.',
  },
  'second-factor-off': {
    status: 409,
    en: 'Two-factor login is not set up.',
    es: 'La verificación en dos pasos no está configurada.',
  },
  'worker-email-taken': {
    status: 409,
    en: 'There is a worker with this email already.',
    es: 'Ya hay un sembrador con este correo.',
  },
  'worker-code-taken': {
    status: 409,
    en: 'Another worker has this id already.',
    es: 'Otro sembrador ya tiene este código.',
  },
  'worker-has-joined': {
    status: 409,
    en: 'This worker has accepted the invitation. Deactivate them instead.',
    es: 'Este sembrador ya aceptó la invitación. Desactívalo.',
  },
  'worker-inactive': { status: 409, en: 'This worker is not active.', es: 'Este sembrador no está activo.' },
  'invitation-accepted': {
    status: 409,
    en: 'This invitation was accepted already.',
    es: 'Esta invitación ya se aceptó.',
  },
  'required-fields': {
    status: 422,
    en: 'Please fill in all required fields',
    es: 'Completa todos los campos obligatorios',
  },
  'evidence-required': {
    status: 422,
    en: 'Please upload payment evidence',
    es: 'Sube el comprobante de pago',
  },
  'evidence-not-an-image': {
    status: 422,
    en: 'This file is not a JPG, PNG or GIF image.',
    es: 'Este archivo no es una imagen JPG, PNG o GIF.',
  },
  'evidence-damaged': {
    status: 422,
    en: 'This image is damaged. Please choose it again.',
    es: 'Esta imagen está dañada. Elígela de nuevo.',
  },
  'evidence-too-large': {
    status: 413,
    en: 'This file is larger than 5 MB.',
    es: 'Este archivo pesa más de 5 MB.',
  },
  'transfer-not-created': {
    status: 500,
    en: 'We could not create your order, and we charged nothing. If you made the transfer already, do not repeat it: send this form once more.',
    es: 'No pudimos crear tu pedido y no cobramos nada. Si ya hiciste la transferencia, no la repitas: envía este formulario otra vez.',
    spec: {
      en: 'Failed to create manual payment order',
      es: 'No se pudo crear el pedido por transferencia',
    },
  },
  'transfer-not-verified': {
    status: 500,
    en: 'Failed to verify payment',
    es: 'No se pudo verificar el pago',
  },
  'transfer-not-rejected': { status: 500, en: 'Failed to reject payment', es: 'No se pudo rechazar el pago' },
  'transfer-already-approved': {
    status: 409,
    en: 'This transfer was approved already. Please load it again.',
    es: 'Esta transferencia ya se aprobó. Cárgala de nuevo.',
  },
  'transfer-already-rejected': {
    status: 409,
    en: 'This transfer was rejected already. Its donor can send it again.',
    es: 'Esta transferencia ya se rechazó. Su donante puede enviarla de nuevo.',
  },
  'second-admin-required': {
    status: 409,
    en: 'You approved this transfer already. An amount this large needs a second admin.',
    es: 'Ya aprobaste esta transferencia. Un valor tan alto necesita a otra persona.',
  },
  'order-completed': {
    status: 409,
    en: 'This order is completed already.',
    es: 'Este pedido ya está completado.',
  },
  'order-withdrawn': {
    status: 409,
    en: 'Nobody plants this order: its money went back, or its donor cancelled it.',
    es: 'Nadie siembra este pedido: el dinero se devolvió o el donante se retracta.',
  },
  'assigned-to-another': {
    status: 409,
    en: 'This was reassigned in the meantime.',
    es: 'Mientras tanto, esto se asignó a otra persona.',
  },
  'worker-unavailable': {
    status: 422,
    en: 'There is no such worker, or they are not active.',
    es: 'No existe ese sembrador o no está activo.',
  },
  'mail-not-repeatable': {
    status: 409,
    en: 'This email cannot be sent again.',
    es: 'Este correo no se puede volver a enviar.',
  },
} as const satisfies Record<string, ProblemKind>;

export type PublicProblemType = keyof typeof PROBLEMS;
export type ProblemType = PublicProblemType | keyof typeof STATEMENT_PROBLEMS | keyof typeof ADMIN_PROBLEMS;

export const FIELD_PROBLEMS = {
  required: { en: 'Please fill this in.', es: 'Completa este campo.' },
  'invalid-email': {
    en: 'This is not an email address. Example: name@mail.com',
    es: 'Esto no es un correo. Ejemplo: nombre@correo.com',
  },
  'too-short': { en: 'This is too short.', es: 'Es demasiado corto.' },
  'too-long': { en: 'This is too long.', es: 'Es demasiado largo.' },
  'too-small': { en: 'This number is too small.', es: 'Este número es demasiado pequeño.' },
  'too-big': { en: 'This number is too big.', es: 'Este número es demasiado grande.' },
  'not-an-integer': { en: 'Please enter a whole number.', es: 'Escribe un número entero.' },
  'unknown-value': { en: 'This is not one of the choices.', es: 'Esta no es una de las opciones.' },
  'not-the-orders-email': {
    en: 'This is not the address that the order was made with.',
    es: 'Este no es el correo con el que se hizo el pedido.',
  },
  'wrong-password': { en: 'This is not your current password.', es: 'Esta no es tu contraseña actual.' },
  'common-password': {
    en: 'This password is too easy to guess.',
    es: 'Esta contraseña es muy fácil de adivinar.',
  },
  'above-card-limit': {
    en: 'This is more than one card payment can take in this currency. Choose fewer trees, or pay by bank transfer.',
    es: 'Es más de lo que un pago con tarjeta admite en esta moneda. Elige menos árboles o paga por transferencia.',
  },
  'no-links': {
    en: 'Please write it without web addresses, email addresses or phone numbers.',
    es: 'Escríbelo sin direcciones web, correos ni teléfonos.',
  },
  'not-a-sender': {
    en: 'A gift needs your own name, not that of a bank, a payment service, an authority or ours.',
    es: 'Un regalo lleva tu propio nombre, no el de un banco, un servicio de pagos, una autoridad ni el nuestro.',
  },
  'gift-day-past': {
    en: 'This day has passed. Choose today or a later day.',
    es: 'Este día ya pasó. Elige hoy o un día posterior.',
  },
  'gift-day-too-far': {
    en: 'This is more than a year ahead. Choose an earlier day.',
    es: 'Falta más de un año. Elige un día más cercano.',
  },
  'place-zero': {
    en: 'A 0 usually means that the number is missing. Write the whole number.',
    es: 'Un 0 suele querer decir que falta el número. Escríbelo completo.',
  },
  'place-swapped': {
    en: 'Latitude and longitude look swapped.',
    es: 'La latitud y la longitud parecen estar al revés.',
  },
  'place-minus': {
    en: 'In Colombia the longitude begins with a minus, such as −75.487031.',
    es: 'En Colombia la longitud empieza con un menos, por ejemplo −75.487031.',
  },
  'place-outside': {
    en: 'This place is not in Colombia. Check both numbers.',
    es: 'Este lugar no está en Colombia. Revisa los dos números.',
  },
  invalid: { en: 'This is not valid.', es: 'Esto no es válido.' },
} as const satisfies Record<string, { en: string; es: string }>;

export type FieldProblemType = keyof typeof FIELD_PROBLEMS;

export interface FieldProblem {
  /** Path of the field: "customerEmail", "photos.1". */
  path: string;
  type: FieldProblemType | ProblemType;
  message: string;
}

/** Body of every refusal: RFC 9457 with our members; `error` and `message` come from the product spec. */
export interface ProblemBody {
  type: ProblemType;
  title: string;
  status: number;
  detail?: string;
  errors?: FieldProblem[];
  /** Set when something could be done until a day. */
  lastDay?: string;
  correlationId?: string;
  error: string;
  /** Repeats `error`: some calls of the product spec name it so. */
  message: string;
}

const OF_FIELDS = { ...PROBLEMS, ...FIELD_PROBLEMS };

/** The sentence at a field that everybody may see. */
export const fieldProblemTitle = (type: FieldProblemType | PublicProblemType, language: Language): string =>
  OF_FIELDS[type][language];

export interface FieldFault {
  path: string;
  type: FieldProblemType | ProblemType;
}

/** A refusal as a value; the edge adds the HTTP status and the reader's language. */
export class Problem extends Error {
  readonly type: ProblemType;
  readonly fields: readonly FieldFault[];
  readonly retryAfterSeconds: number | undefined;
  readonly lastDay: string | undefined;

  constructor(
    type: ProblemType,
    options: {
      fields?: readonly FieldFault[];
      detail?: string;
      retryAfterSeconds?: number;
      /** "2026-11-21" */
      lastDay?: string;
      cause?: unknown;
    } = {},
  ) {
    super(options.detail ?? type, { cause: options.cause });
    this.name = 'Problem';
    this.type = type;
    this.fields = options.fields ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.lastDay = options.lastDay;
  }
}

export const fieldProblem = (path: string, type: FieldProblemType | ProblemType): Problem =>
  new Problem('validation-failed', { fields: [{ path, type }] });
