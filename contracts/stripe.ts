/**
 * Must match the API release of the `stripe` package, which a test checks:
 * https://docs.stripe.com/sdks/stripejs-versioning
 */
export const STRIPE_SCRIPT_URL = 'https://js.stripe.com/endive/stripe.js';
