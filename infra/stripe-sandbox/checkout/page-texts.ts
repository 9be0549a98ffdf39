export type PageTexts = typeof EN;

const EN = {
  lang: 'en',
  badge: 'Sandbox: test cards only',
  total: 'Total',
  back: 'Back to the shop',
  payWithCard: 'Pay with card',
  email: 'Email',
  holder: 'Cardholder name',
  pay: 'Pay',
  unknown: 'There is no such checkout session.',
  paid: 'This checkout session is already paid.',
  expired: 'This checkout session has expired.',
};

const ES: PageTexts = {
  lang: 'es',
  badge: 'Entorno de pruebas: solo tarjetas de prueba',
  total: 'Total',
  back: 'Volver a la tienda',
  payWithCard: 'Pagar con tarjeta',
  email: 'Correo electrónico',
  holder: 'Nombre en la tarjeta',
  pay: 'Pagar',
  unknown: 'Esta sesión de pago no existe.',
  paid: 'Esta sesión de pago ya está pagada.',
  expired: 'Esta sesión de pago venció.',
};

/** The session's language, or the best match of the browser's languages. */
export function pageTexts(locale: string | null | undefined, accepted: string | false): PageTexts {
  const wanted = locale && locale !== 'auto' ? locale : accepted || 'en';
  return wanted.startsWith('es') ? ES : EN;
}
