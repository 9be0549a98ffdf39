/**
 * Stripe's script of the release train that the `stripe` package speaks; a test holds the two together.
 * https://docs.stripe.com/sdks/stripejs-versioning
 */
export const STRIPE_SCRIPT_URL = 'https://js.stripe.com/endive/stripe.js';
