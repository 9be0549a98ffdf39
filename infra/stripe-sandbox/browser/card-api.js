import { callApi } from './api.js';

/** Cards are sent from the frame to the API, never through the shop's page. */
export async function createPaymentMethod(key, params) {
  const { body, error } = await callApi('', 'POST', '/payment_methods', { ...params, key });
  return error ? { error } : { paymentMethod: body };
}

export async function createConfirmationToken(key, params) {
  const { body, error } = await callApi('', 'POST', '/confirmation_tokens', { ...params, key });
  return error ? { error } : { confirmationToken: body };
}
