/* global window, document */
import { textsFor, translated } from '../texts.js';
import { confirmIntent, confirmPayment, followNextAction, methodOf, retrieveIntent } from './confirming.js';
import { createElements, groupOf } from './elements.js';
import { integrationError } from './errors.js';

const script =
  document.currentScript ?? document.querySelector('script[src*="/stripe.js"], script[src*="/v3"]');
const scriptUrl = new URL(script.src);

/** `Stripe(publishableKey, options)` as a shop calls it; options.stripeApiUrl names another server. */
function Stripe(key, stripeOptions = {}) {
  if (typeof key !== 'string' || key === '') {
    throw integrationError('Missing value for Stripe(): apiKey should be a string.');
  }
  if (/^sk_/.test(key)) {
    throw integrationError(
      'You should not use your secret key with Stripe.js. Please pass a publishable key instead.',
    );
  }
  const base = new URL(stripeOptions.stripeApiUrl ?? scriptUrl.origin).origin;
  const context = {
    base,
    key,
    stripeOptions,
    texts: textsFor(stripeOptions.locale, window.navigator.language),
  };
  const notOffered = (name) => async () => ({
    error: {
      type: 'invalid_request_error',
      message: `The sandbox does not offer ${name}: use the Payment Element.`,
    },
  });

  return {
    elements: (options) => createElements(context, options),
    confirmPayment: (options) => confirmPayment(context, options),
    retrievePaymentIntent: (clientSecret) => retrieveIntent(context, clientSecret),
    async handleNextAction({ clientSecret }) {
      const { paymentIntent, error } = await retrieveIntent(context, clientSecret);
      return error ? { error } : followNextAction(context, clientSecret, paymentIntent);
    },
    async confirmCardPayment(clientSecret, { payment_method, ...params } = {}) {
      if (payment_method !== undefined && typeof payment_method !== 'string') {
        throw integrationError(
          'The sandbox takes the id of a payment method here: there is no Card Element.',
        );
      }
      return confirmIntent(context, clientSecret, { ...params, payment_method });
    },
    handleCardAction(clientSecret) {
      return this.handleNextAction({ clientSecret });
    },
    async createPaymentMethod({ elements, params } = {}) {
      const group = groupOf(elements);
      const { paymentMethod, error } = await methodOf(group, params?.billing_details);
      return error ? { error: translated(error, group.texts()) } : { paymentMethod };
    },
    async createConfirmationToken({ elements, params } = {}) {
      const group = groupOf(elements);
      const checked = await group.payment.validate();
      if (checked.error) return { error: checked.error };
      const { confirmationToken, error } = await group.payment.createConfirmationToken({
        billing: params?.payment_method_data?.billing_details,
        return_url: params?.return_url,
        shipping: params?.shipping,
      });
      return error ? { error: translated(error, group.texts()) } : { confirmationToken };
    },
    createToken: notOffered('tokens'),
    createSource: notOffered('sources'),
    registerAppInfo: () => {},
    _registerWrapper: () => {},
  };
}

/** /v3/ is version 3, /endive/stripe.js is version endive: stripe-js compares it. */
Stripe.version = /^\/v3/.test(scriptUrl.pathname) ? 3 : scriptUrl.pathname.split('/')[1];
window.Stripe ??= Stripe;
