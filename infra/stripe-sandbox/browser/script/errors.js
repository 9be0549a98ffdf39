/** An error in the shop's code, thrown like Stripe.js does. */
export function integrationError(message) {
  const error = new Error(message);
  error.name = 'IntegrationError';
  return error;
}
