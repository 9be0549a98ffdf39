import type { Call } from '../http/endpoint.ts';
import { invalidRequest, noSuch, unexpectedState } from '../http/errors.ts';
import type { FormHash } from '../http/form.ts';
import { email, flag, hash, ignored, text } from '../http/params.ts';
import type { ConfirmationToken, PaymentIntent, PaymentMethod } from '../objects.ts';
import { confirm } from './confirming.ts';
import { confirmable } from './intent.ts';
import { chosenMethod, usableMethod } from './payment-methods.ts';

/** Parameters of a confirmation, on its own or while creating. */
export const confirmShape = {
  confirmation_token: text,
  error_on_requires_action: flag,
  mandate_data: ignored,
  off_session: flag,
  payment_method: text,
  payment_method_data: hash,
  payment_method_options: ignored,
  receipt_email: email,
  return_url: text,
  setup_future_usage: ignored,
  shipping: hash,
  use_stripe_sdk: flag,
};

interface Confirmation {
  confirmation_token?: string | undefined;
  payment_method?: string | undefined;
  payment_method_data?: FormHash | undefined;
  receipt_email?: string | undefined;
  return_url?: string | undefined;
  shipping?: FormHash | undefined;
  use_stripe_sdk?: boolean | undefined;
}

/** @throws StripeProblem 400 when the intent cannot be confirmed, 402 when the card is declined */
export function confirmGiven(call: Call, intent: PaymentIntent, given: Confirmation): PaymentIntent {
  if (!confirmable(intent)) {
    const why =
      intent.status === 'succeeded'
        ? 'it has already succeeded after being previously confirmed'
        : `it has a status of ${intent.status}`;
    throw unexpectedState(`You cannot confirm this PaymentIntent because ${why}.`, intent);
  }
  const token = given.confirmation_token
    ? confirmationToken(call, given.confirmation_token, intent)
    : undefined;
  const returnUrl = given.return_url ?? token?.return_url ?? null;
  const redirects =
    intent.automatic_payment_methods?.enabled && intent.automatic_payment_methods.allow_redirects !== 'never';
  if (call.key === 'secret' && redirects && !returnUrl && !given.use_stripe_sdk) {
    throw invalidRequest(
      "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
      { param: 'return_url', code: 'parameter_missing' },
    );
  }
  const chosen: PaymentIntent = {
    ...intent,
    receipt_email: given.receipt_email || intent.receipt_email,
    shipping: given.shipping ?? intent.shipping,
  };
  const challenge = { apiUrl: call.apiUrl, returnUrl, useStripeSdk: given.use_stripe_sdk ?? false };
  return confirm(call, chosen, methodFor(call, intent, given, token), challenge);
}

function methodFor(
  call: Call,
  intent: PaymentIntent,
  given: Confirmation,
  token?: ConfirmationToken,
): PaymentMethod {
  if (token) return usableMethod(call, call.tx.get('token_methods', token.id)?.method ?? '');
  const payment_method =
    given.payment_method ?? (given.payment_method_data ? undefined : intent.payment_method);
  if (!payment_method && !given.payment_method_data) {
    throw unexpectedState(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      intent,
    );
  }
  return chosenMethod(call, {
    payment_method: payment_method ?? undefined,
    payment_method_data: given.payment_method_data,
  });
}

function confirmationToken({ tx }: Call, id: string, intent: PaymentIntent): ConfirmationToken {
  const token = tx.get('confirmation_tokens', id);
  if (!token) throw noSuch('confirmation_token', id, 'confirmation_token', 400);
  if (token.payment_intent) {
    throw invalidRequest(`The ConfirmationToken ${id} has already been used.`, {
      param: 'confirmation_token',
    });
  }
  return tx.put('confirmation_tokens', { ...token, payment_intent: intent.id });
}
