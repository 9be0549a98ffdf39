/* global window, document */
import { callApi } from '../api.js';
import { textsFor, translated } from '../texts.js';
import { createElements, groupOf, integrationError } from './elements.js';
import { openFrame } from './frame.js';

const script =
  document.currentScript ?? document.querySelector('script[src*="/stripe.js"], script[src*="/v3"]');
const scriptUrl = new URL(script.src);

/** `Stripe(publishableKey, options)` as a shop calls it. */
function Stripe(key, stripeOptions = {}) {
  if (typeof key !== 'string' || key === '') {
    throw integrationError('Missing value for Stripe(): apiKey should be a string.');
  }
  if (/^sk_/.test(key)) {
    throw integrationError(
      'You should not use your secret key with Stripe.js. Please pass a publishable key instead.',
    );
  }
  const context = {
    base: scriptUrl.origin,
    key,
    stripeOptions,
    texts: textsFor(stripeOptions.locale, window.navigator.language),
  };
  const notOffered = (name) => () => {
    throw integrationError(`The sandbox does not offer ${name}: use the Payment Element.`);
  };
  return {
    elements: (options) => createElements(context, options),
    confirmPayment: (options) => confirmPayment(context, options),
    retrievePaymentIntent: (clientSecret) => retrieveIntent(context, clientSecret),
    // react-stripe-js recognises Stripe by these.
    createToken: notOffered('createToken'),
    createPaymentMethod: notOffered('createPaymentMethod'),
    confirmCardPayment: notOffered('confirmCardPayment'),
  };
}

const idOf = (clientSecret) => {
  const id = /^(pi_\w+)_secret_\w+$/.exec(String(clientSecret))?.[1];
  if (id) return id;
  throw integrationError(
    `Invalid value for clientSecret: value should be a client secret of the form \${id}_secret_\${secret}. You specified: ${String(clientSecret).slice(0, 40)}.`,
  );
};

/** @returns { paymentIntent } or { error } */
async function retrieveIntent({ base, key, texts }, clientSecret) {
  const path = `/payment_intents/${idOf(clientSecret)}`;
  const { body, error } = await callApi(base, 'GET', path, { key, client_secret: clientSecret });
  return error ? { error: translated(error, texts) } : { paymentIntent: body };
}

/** Creates a payment method from the card form, confirms with it, and shows a challenge if the bank asks for one. */
async function confirmPayment(context, { elements, clientSecret, confirmParams = {}, redirect }) {
  const group = groupOf(elements);
  if (!clientSecret) throw integrationError('In stripe.confirmPayment(), clientSecret is missing.');
  if (redirect !== 'if_required') {
    throw integrationError('The sandbox has no payment methods that redirect: redirect must be if_required.');
  }
  const { base, key } = context;
  const texts = group.texts();
  const payment = group.payment();
  if (!payment?.isMounted()) {
    throw integrationError('There is no mounted Payment Element in these elements.');
  }
  if (payment.needsSubmit()) {
    throw integrationError(
      'elements.submit() must be called before stripe.confirmPayment(). Call elements.submit() as soon as the customer wants to pay.',
    );
  }
  const { payment_method_data: data, return_url } = confirmParams;
  const chosen = await payment.createPaymentMethod(data?.billing_details);
  if (chosen.error) return { error: translated(chosen.error, texts) };
  const { body, error } = await callApi(base, 'POST', `/payment_intents/${idOf(clientSecret)}/confirm`, {
    return_url,
    payment_method: chosen.paymentMethod.id,
    use_stripe_sdk: true,
    key,
    client_secret: clientSecret,
  });
  if (error) return { error: translated(error, texts) };
  if (body.status !== 'requires_action') return { paymentIntent: body };
  await showChallenge({ base, url: body.next_action.use_stripe_sdk.stripe_js, texts });
  const answered = await retrieveIntent({ ...context, texts }, clientSecret);
  const { paymentIntent } = answered;
  if (paymentIntent?.status !== 'requires_payment_method') return answered;
  return { error: translated({ ...paymentIntent.last_payment_error, payment_intent: paymentIntent }, texts) };
}

/** Shows the bank's challenge in a modal frame until it is answered. */
function showChallenge({ base, url, texts }) {
  const before = document.activeElement;
  const others = [...document.body.children].filter((child) => !child.inert);
  return new Promise((resolve) => {
    const frame = openFrame({
      base,
      path: `${url.slice(base.length)}&lang=${texts.lang}`,
      title: texts.challengeTitle,
      onEvent: (event) => (event === 'answered' ? finish() : undefined),
      onLoadError: finish,
    });
    function finish() {
      frame.close();
      for (const child of others) child.inert = false;
      before?.focus?.();
      resolve();
    }
    Object.assign(frame.element.style, {
      position: 'fixed',
      inset: '0',
      width: '100%',
      height: '100%',
      zIndex: '2147483647',
      // The same as in the frame: browsers paint frames opaque when the colour schemes differ.
      colorScheme: 'light dark',
    });
    for (const child of others) child.inert = true;
    document.body.append(frame.element);
    frame.element.addEventListener('load', () => frame.element.focus());
  });
}

/** /v3/ is version 3, /endive/stripe.js is version endive: stripe-js compares it. */
Stripe.version = /^\/v3/.test(scriptUrl.pathname) ? 3 : scriptUrl.pathname.split('/')[1];
window.Stripe ??= Stripe;
