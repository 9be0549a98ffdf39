/** Texts of the script and its frames in English and Spanish, by Stripe's codes. */

const EN = {
  frame: 'Secure payment input frame',
  form: 'Card details',
  number: 'Card number',
  expiry: 'Expiration date',
  expiryHint: 'MM / YY',
  cvc: 'Security code',
  cvcHint: 'CVC',
  cvcHintAmex: '4 digits',
  country: 'Country',
  challengeTitle: '3D Secure test page',
  challengeText: 'Your bank asks you to confirm this payment. In the sandbox you choose what happens.',
  complete: 'Complete authentication',
  fail: 'Fail authentication',
  incomplete_number: 'Your card number is incomplete.',
  invalid_number: 'Your card number is invalid.',
  incomplete_expiry: "Your card's expiration date is incomplete.",
  invalid_expiry_month: "Your card's expiration month is invalid.",
  invalid_expiry_month_past: "Your card's expiration date is in the past.",
  invalid_expiry_year: "Your card's expiration year is invalid.",
  invalid_expiry_year_past: "Your card's expiration year is in the past.",
  incomplete_cvc: "Your card's security code is incomplete.",
  incomplete_country: 'Choose your country.',
};

const ES = {
  frame: 'Campo seguro para datos de pago',
  form: 'Datos de la tarjeta',
  number: 'Número de tarjeta',
  expiry: 'Fecha de vencimiento',
  expiryHint: 'MM / AA',
  cvc: 'Código de seguridad',
  cvcHint: 'CVC',
  cvcHintAmex: '4 dígitos',
  country: 'País',
  challengeTitle: 'Página de prueba de 3D Secure',
  challengeText: 'Tu banco te pide confirmar este pago. En el entorno de pruebas tú eliges lo que pasa.',
  complete: 'Completar la autenticación',
  fail: 'Rechazar la autenticación',
  incomplete_number: 'El número de tu tarjeta está incompleto.',
  invalid_number: 'El número de tu tarjeta no es válido.',
  incomplete_expiry: 'La fecha de vencimiento de tu tarjeta está incompleta.',
  invalid_expiry_month: 'El mes de vencimiento de tu tarjeta no es válido.',
  invalid_expiry_month_past: 'La fecha de vencimiento de tu tarjeta ya pasó.',
  invalid_expiry_year: 'El año de vencimiento de tu tarjeta no es válido.',
  invalid_expiry_year_past: 'El año de vencimiento de tu tarjeta ya pasó.',
  incomplete_cvc: 'El código de seguridad de tu tarjeta está incompleto.',
  incomplete_country: 'Elige tu país.',
  // Messages that the API sends in English and Stripe.js translates.
  card_declined: 'Tu tarjeta fue rechazada.',
  generic_decline: 'Tu tarjeta fue rechazada.',
  insufficient_funds: 'Tu tarjeta no tiene fondos suficientes.',
  expired_card: 'Tu tarjeta está vencida.',
  live_mode_test_card:
    'Tu tarjeta fue rechazada: este es un entorno de pruebas y solo acepta las tarjetas de prueba de Stripe.',
  payment_intent_authentication_failure:
    'No pudimos autenticar tu método de pago. Elige otro método de pago e inténtalo de nuevo.',
  api_connection_error:
    'No pudimos conectar con el servicio de pagos. Revisa tu conexión e inténtalo de nuevo.',
};

/** "es-CO" → Spanish; `auto` follows the browser; everything else is English. */
export function textsFor(locale, browserLocale = 'en') {
  const wanted = !locale || locale === 'auto' ? browserLocale : locale;
  return wanted.toLowerCase().startsWith('es') ? { lang: 'es', ...ES } : { lang: 'en', ...EN };
}

/** An API error in the customer's language, if it is known. */
export function translated(error, texts) {
  const message = texts[error.decline_code] ?? texts[error.code];
  return message && texts.lang !== 'en' ? { ...error, message } : error;
}
