import type { Call, Endpoint } from '../http/endpoint.ts';
import { noSuch } from '../http/errors.ts';
import { hash, ignored, readParams, required, text } from '../http/params.ts';
import { newId } from '../ids.ts';
import type { ConfirmationToken } from '../objects.ts';
import { createMethod, usableMethod } from './payment-methods.ts';

const LIFETIME_S = 12 * 60 * 60;

export const confirmationTokenEndpoints: Endpoint[] = [
  { method: 'post', path: '/confirmation_tokens', access: 'client', answer: create },
  { method: 'get', path: '/confirmation_tokens/:id', access: 'secret', answer: retrieve },
];

function create(call: Call): ConfirmationToken {
  const given = readParams(call.params, {
    payment_method: text,
    payment_method_data: hash,
    return_url: text,
    setup_future_usage: ignored,
    shipping: hash,
  });
  const method = given.payment_method
    ? usableMethod(call, given.payment_method)
    : createMethod(call, required(hash)(given.payment_method_data, 'payment_method_data'));
  const id = newId('ctoken_1');
  call.tx.put('token_methods', { id, method: method.id });
  return call.tx.put('confirmation_tokens', {
    id,
    object: 'confirmation_token',
    created: call.nowS,
    expires_at: call.nowS + LIFETIME_S,
    livemode: false,
    mandate_data: null,
    payment_intent: null,
    payment_method_options: null,
    payment_method_preview: {
      billing_details: method.billing_details,
      card: method.card,
      customer: null,
      type: method.type,
    },
    return_url: given.return_url ?? null,
    setup_future_usage: null,
    setup_intent: null,
    shipping: given.shipping ?? null,
    use_stripe_sdk: true,
  });
}

function retrieve({ tx, path, params }: Call): ConfirmationToken {
  readParams(params, {});
  const token = tx.get('confirmation_tokens', path.id ?? '');
  if (!token) throw noSuch('confirmation_token', path.id ?? '', 'confirmation_token');
  return token;
}
