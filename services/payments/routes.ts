import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { paymentsEndpoints } from '@arboleda/contracts/endpoints/payments.ts';
import { LANGUAGES } from '@arboleda/contracts/roles.ts';
import type Stripe from 'stripe';
import type { CardProvider } from './card-provider.ts';
import type { CheckoutRequest, StartedCheckout } from './checkout.ts';
import type { PaymentsConfig } from './config.ts';

export function routes(parts: {
  config: Pick<PaymentsConfig, 'stripe' | 'bankAccount' | 'siteUrl'>;
  checkout: (asked: CheckoutRequest) => Promise<StartedCheckout>;
  provider: CardProvider;
  receive: (event: Stripe.Event) => Promise<void>;
  clock: () => Date;
}): Handlers<typeof paymentsEndpoints> {
  const { config, checkout, provider, receive, clock } = parts;
  const { publishableKey, scriptUrl, apiUrl } = config.stripe;

  return {
    async 'GET /api/config'() {
      return {
        stripe: { publishableKey, scriptUrl, apiUrl },
        bankAccount: config.bankAccount,
        siteUrl: config.siteUrl,
        languages: [...LANGUAGES],
      };
    },
    async 'POST /api/pricing/create-payment-intent'({ body, idempotencyKey, language }) {
      const started = await checkout({ request: body, idempotencyKey, language });
      return {
        client_secret: started.clientSecret,
        orderId: started.orderId,
        orderToken: started.orderToken,
        amount: started.amountMinor,
        currency: started.currency,
      };
    },
    async 'POST /api/payments/stripe-webhook'({ rawBody, headers }) {
      const signature = headers['stripe-signature'];
      await receive(provider.readEvent(rawBody, typeof signature === 'string' ? signature : '', clock()));
      return { received: true };
    },
  };
}
