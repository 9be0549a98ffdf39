/* global window */
import { translated } from '../texts.js';
import { callApi } from '../api.js';
import { showChallenge } from './challenge.js';
import { groupOf } from './elements.js';
import { integrationError } from './errors.js';

const idOf = (clientSecret) => {
  const id = /^(pi_\w+)_secret_\w+$/.exec(String(clientSecret))?.[1];
  if (id) return id;
  throw integrationError(
    `Invalid value for clientSecret: value should be a client secret of the form \${id}_secret_\${secret}. You specified: ${String(clientSecret).slice(0, 40)}.`,
  );
};

/** @returns { paymentIntent } or { error } */
export async function retrieveIntent(context, clientSecret) {
  const params = { key: context.key, client_secret: clientSecret };
  const { body, error } = await callApi(
    context.base,
    'GET',
    `/payment_intents/${idOf(clientSecret)}`,
    params,
  );
  return error ? { error: translated(error, context.texts) } : { paymentIntent: body };
}

/** Confirms with a payment method's id (or the intent's own), and shows a challenge if the bank asks for one. */
export async function confirmIntent(context, clientSecret, params) {
  const { body, error } = await callApi(
    context.base,
    'POST',
    `/payment_intents/${idOf(clientSecret)}/confirm`,
    {
      ...params,
      use_stripe_sdk: true,
      key: context.key,
      client_secret: clientSecret,
    },
  );
  if (error) return { error: translated(error, context.texts) };
  return followNextAction(context, clientSecret, body);
}

/** @param intent as the API returned it */
export async function followNextAction(context, clientSecret, intent) {
  if (intent.status !== 'requires_action') return { paymentIntent: intent };
  const action = intent.next_action;
  if (action.type === 'redirect_to_url') {
    window.location.assign(action.redirect_to_url.url);
    return new Promise(() => {});
  }
  await showChallenge({ base: context.base, url: action.use_stripe_sdk.stripe_js, texts: context.texts });
  const { paymentIntent, error } = await retrieveIntent(context, clientSecret);
  if (error) return { error };
  if (paymentIntent.status !== 'requires_payment_method') return { paymentIntent };
  return {
    error: translated({ ...paymentIntent.last_payment_error, payment_intent: paymentIntent }, context.texts),
  };
}

/** `stripe.confirmPayment` */
export async function confirmPayment(
  context,
  { elements, clientSecret, confirmParams = {}, redirect = 'always' },
) {
  const group = elements && groupOf(elements);
  const secret = clientSecret ?? group?.clientSecret;
  if (!secret) throw integrationError('In stripe.confirmPayment(), clientSecret is missing.');
  if (redirect === 'always' && !confirmParams.return_url) {
    throw integrationError(
      'stripe.confirmPayment() requires confirmParams.return_url, unless redirect is if_required.',
    );
  }
  if (confirmParams.return_url) checkReturnUrl(confirmParams.return_url);
  const speaking = group ? { ...context, texts: group.texts() } : context;
  const { payment_method_data: data, expand: _expand, ...params } = confirmParams;
  if (group) {
    const chosen = await methodOf(group, data?.billing_details);
    if (chosen.error) return { error: translated(chosen.error, speaking.texts) };
    await warnOfOtherAmount(speaking, group, secret);
    params.payment_method = chosen.paymentMethod.id;
  }
  const result = await confirmIntent(speaking, secret, params);
  if (result.error || redirect === 'if_required') return result;
  const target = new URL(confirmParams.return_url);
  target.searchParams.set('payment_intent', result.paymentIntent.id);
  target.searchParams.set('payment_intent_client_secret', secret);
  target.searchParams.set('redirect_status', result.paymentIntent.status);
  window.location.assign(target);
  return new Promise(() => {});
}

/** Creates a payment method from the group's card form. @returns { paymentMethod } or { error } */
export async function methodOf(group, billing) {
  const { payment } = group;
  if (!payment?.mounted) throw integrationError('There is no mounted Payment Element in these elements.');
  if (group.deferred && payment.needsSubmit) {
    throw integrationError(
      'elements.submit() must be called before stripe.confirmPayment(). Call elements.submit() as soon as the customer wants to pay.',
    );
  }
  const { error } = await payment.validate();
  return error ? { error } : payment.createPaymentMethod(billing);
}

function checkReturnUrl(url) {
  if (!URL.canParse(url))
    throw integrationError(`Invalid value for return_url: ${url} is not an absolute URL.`);
}

async function warnOfOtherAmount(context, { deferred, options }, secret) {
  if (!deferred) return;
  const { paymentIntent } = await retrieveIntent(context, secret);
  if (
    !paymentIntent ||
    (paymentIntent.amount === options.amount && paymentIntent.currency === options.currency)
  )
    return;
  console.warn(
    `Elements were made for ${options.amount} ${options.currency}, the PaymentIntent asks for ${paymentIntent.amount} ${paymentIntent.currency}.`,
  );
}
