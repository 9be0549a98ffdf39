import { crashPoint } from '@arboleda/chassis/crash-point.ts';
import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { paymentsAdminEndpoints } from '@arboleda/contracts/endpoints/payments/admin.ts';
import type { shopEndpoints } from '@arboleda/contracts/endpoints/payments/shop.ts';
import { LANGUAGES } from '@arboleda/contracts/roles.ts';
import { visitorOf } from '@arboleda/contracts/visitor.ts';
import type { PaymentReading } from './admin/reading.ts';
import { adminRoutes } from './admin/routes.ts';
import type { CardProvider } from './card-provider.ts';
import type { CheckoutRequest, StartedCheckout } from './checkout.ts';
import type { PaymentsConfig } from './config.ts';
import type { Catalogue, PackageRequest } from './photo-packages/checkout.ts';
import type { Refunds } from './refunds/refunds.ts';
import type { Receive } from './webhook.ts';

export function routes(parts: {
  config: Pick<PaymentsConfig, 'stripe' | 'bankAccounts' | 'siteUrl'>;
  checkout: (asked: CheckoutRequest) => Promise<StartedCheckout>;
  provider: CardProvider;
  packageCheckout: (asked: PackageRequest) => Promise<string>;
  catalogue: Pick<Catalogue, 'list'>;
  reading: PaymentReading;
  refunds: Refunds;
  receive: Receive;
  clock: () => Date;
}): Handlers<typeof shopEndpoints & typeof paymentsAdminEndpoints> {
  const { config, checkout, packageCheckout, catalogue, provider, receive, clock } = parts;
  const { publishableKey, scriptUrl, apiUrl } = config.stripe;

  return {
    ...adminRoutes(parts),
    async 'GET /api/config'() {
      return {
        stripe: { publishableKey, scriptUrl, apiUrl },
        bankAccounts: [...config.bankAccounts],
        photoPackages: await catalogue.list(),
        siteUrl: config.siteUrl,
        languages: [...LANGUAGES],
      };
    },
    async 'POST /api/pricing/create-payment-intent'({ body, headers, idempotencyKey, language }) {
      const visitor = visitorOf(headers);
      const started = await checkout({ request: body, idempotencyKey, language, visitor });
      return {
        client_secret: started.clientSecret,
        orderId: started.orderId,
        orderToken: started.orderToken,
        amount: started.amountMinor,
        currency: started.currency,
      };
    },
    async 'POST /api/payments/create-photo-package-checkout'({ body, person }) {
      const { priceId, originalOrderId: orderId } = body;
      return { checkoutUrl: await packageCheckout({ priceId, orderId, person }) };
    },
    async 'POST /api/payments/stripe-webhook'({ rawBody, headers }) {
      const signature = headers['stripe-signature'];
      const event = provider.readEvent(rawBody, typeof signature === 'string' ? signature : '', clock());
      crashPoint('webhook-verified');
      await receive(event);
      return { received: true };
    },
  };
}
