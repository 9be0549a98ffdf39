import { crashPoint } from '@arboleda/chassis/crash-point.ts';
import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { paymentsAdminEndpoints } from '@arboleda/contracts/endpoints/payments/admin.ts';
import type { shopEndpoints } from '@arboleda/contracts/endpoints/payments/shop.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { LANGUAGES } from '@arboleda/contracts/roles.ts';
import { visitorOf } from '@arboleda/contracts/visitor.ts';
import type { PaymentReading } from './admin/reading.ts';
import { refundView } from './admin/views.ts';
import type { CheckoutRequest, StartedCheckout } from './cards/checkout.ts';
import { type PaymentsConfig, publicApiUrl } from './config.ts';
import type { Catalogue, PackageRequest } from './photo-packages/checkout.ts';
import type { Refunds } from './refunds/refunds.ts';
import type { Subject } from './money/subject.ts';
import type { ReadWebhook, Receive } from './webhook.ts';

export function routes(parts: {
  config: Pick<PaymentsConfig, 'stripe' | 'bankAccounts' | 'siteUrl'>;
  checkout: (asked: CheckoutRequest) => Promise<StartedCheckout>;
  readWebhook: ReadWebhook;
  packageCheckout: (asked: PackageRequest) => Promise<string>;
  catalogue: Pick<Catalogue, 'list'>;
  reading: PaymentReading;
  refunds: Refunds;
  receive: Receive;
}): Handlers<typeof shopEndpoints & typeof paymentsAdminEndpoints> {
  const { config, checkout, packageCheckout, catalogue, readWebhook, receive } = parts;
  const { publishableKey, scriptUrl } = config.stripe;

  return {
    ...adminRoutes(parts),
    async 'GET /api/config'() {
      return {
        stripe: { publishableKey, scriptUrl, apiUrl: publicApiUrl(scriptUrl) },
        bankAccounts: [...config.bankAccounts],
        photoPackages: await catalogue.list(),
        siteUrl: config.siteUrl,
        languages: [...LANGUAGES],
      };
    },
    async 'POST /api/pricing/create-payment-intent'({ address, body, headers, idempotencyKey, language }) {
      const visitor = visitorOf(headers);
      const started = await checkout({ request: body, idempotencyKey, language, visitor, address });
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
      const event = readWebhook(rawBody, headers['stripe-signature']);
      crashPoint('webhook-verified');
      await receive(event);
      return { received: true };
    },
  };
}

type RefundRouteRequest = Pick<
  Parameters<Handlers<typeof paymentsAdminEndpoints>['POST /api/admin/payments/{id}/refunds']>[0],
  'params' | 'body' | 'person' | 'idempotencyKey'
>;

function adminRoutes(parts: {
  reading: PaymentReading;
  refunds: Pick<Refunds, 'ask' | 'settleByHand' | 'dismiss'>;
}): Handlers<typeof paymentsAdminEndpoints> {
  const { reading, refunds } = parts;
  const found = <T>(payment: T | undefined): { payment: T } => {
    if (!payment) throw new Problem('not-found');
    return { payment };
  };

  const giveBack = async (
    kind: Subject['kind'],
    { params, body: { amount: amountMinor, ...said }, person, idempotencyKey }: RefundRouteRequest,
  ) => {
    const request = { amountMinor, ...said, by: adminOf(person), idempotencyKey };
    return { refund: refundView(await refunds.ask(kind, params.id, request)) };
  };

  return {
    'GET /api/admin/payments': ({ query }) => reading.page(query),
    'GET /api/admin/photo-packages': ({ query }) => reading.soldPackages(query),
    'GET /api/admin/payments/{id}': async ({ params }) => found(await reading.payment(params.id)),
    'GET /api/admin/orders/{id}/payment': async ({ params }) =>
      found(await reading.paymentOfOrder(params.id)),
    'POST /api/admin/payments/{id}/refunds': (asked) => giveBack('payment', asked),
    'POST /api/admin/photo-packages/{id}/refunds': (asked) => giveBack('purchase', asked),
    'POST /api/admin/refunds/{id}/settlement': async ({ params, body: { sent } }) => ({
      refund: refundView(await refunds.settleByHand(params.id, sent)),
    }),
    async 'POST /api/admin/refunds/{id}/dismissal'({ params, body: { reason }, person }) {
      return { refund: refundView(await refunds.dismiss(params.id, { by: adminOf(person), reason })) };
    },
    'GET /api/admin/money/attention': reading.attention,
  };
}

const adminOf = ({ id, name }: RefundRouteRequest['person']) => ({ role: 'admin', id, name }) as const;
