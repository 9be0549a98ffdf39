import { type Answer, request } from '@arboleda/chassis/testing/request.ts';
import type { Harness } from './harness.ts';
import { aPaidPayment, payOnPage, shown, webhooks } from './actions.ts';

const ana = { email: 'ana@arboleda.test' };

/** Actions of customers on photo packages, and their results. */
export function packageHarness(harness: Harness) {
  const packages = {
    async buy(
      orderId: string,
      priceId = 'price_three_year',
      person: object = ana,
      url = harness.url,
    ): Promise<Answer> {
      const token = await harness.identity.token({ role: 'customer', ...person });
      return request(url, 'POST /api/payments/create-photo-package-checkout', {
        body: { priceId, originalOrderId: orderId },
        token,
      });
    },
    /** Stripe's sessions, newest first. */
    sessionsOf: async (orderId: string) =>
      (await harness.sandbox.stripe.checkout.sessions.list({ limit: 100 })).data.filter(
        ({ metadata }) => metadata?.orderId === orderId,
      ),
    purchasesOf: async (paymentId: string) => (await shown(harness, paymentId)).photoPackages,
    bought: (orderId: string) =>
      harness.events.all('photo_package.purchased').filter(({ data }) => data.orderId === orderId),
    received: (orderId: string) =>
      harness.events.next('photo_package.purchased', ({ data }) => data.orderId === orderId),
    async sold(priceId?: string) {
      const paid = await aPaidPayment(harness);
      await payOnPage(harness, (await packages.buy(paid.orderId, priceId)).body.checkoutUrl);
      const { data } = await packages.received(paid.orderId);
      return { ...paid, purchaseId: data.purchaseId, packageIntentId: data.transactionId };
    },
    statusNews: (purchaseId: string) =>
      harness.events.next('photo_package.status_changed', ({ data }) => data.purchaseId === purchaseId),
    /** Waits until all earlier events are published. */
    async settled(): Promise<void> {
      await webhooks(harness, 'deliver');
      const { orderId } = await aPaidPayment(harness);
      await payOnPage(harness, (await packages.buy(orderId)).body.checkoutUrl);
      await packages.received(orderId);
    },
  };
  return packages;
}
