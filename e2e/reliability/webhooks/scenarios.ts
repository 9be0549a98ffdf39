import { payOnPage, refund as refundInPanel } from '@arboleda/payments/test/actions.ts';
import { grove, intentIdOf } from '@arboleda/payments/test/harness.ts';
import { waitFor } from '../../harness/wait.ts';
import type { Ending, Setup } from './setup.ts';

/** A change at the provider with its events. */
export interface Scenario {
  name: string;
  /** Done after a checkout was started. */
  acts: readonly Act[];
  /** The webhooks that arrive in every order; earlier ones have been delivered. */
  events: readonly string[];
  ending: Ending;
}

interface Subject {
  orderId: string;
  /** That of the trees, or of the package once it is paid. */
  intentId: string;
  refundId?: string;
}
/** An act of a person or a bank. */
type Act = (setup: Setup, subject: Subject) => Promise<unknown>;

const CREATED = 'payment_intent.created';
const PAID = 'payment_intent.succeeded';
const FAILED = 'payment_intent.payment_failed';
const PROCESSING = 'payment_intent.processing';
const CANCELED = 'payment_intent.canceled';
const REFUND = 'refund.created';
const REFUND_FAILED = 'refund.failed';
const DISPUTED = ['charge.dispute.created', 'charge.dispute.closed'];
const COMPLETED = 'checkout.session.completed';
const SLOW = 'pm_card_processing';
const SLOW_NUMBER = '4000000000000606';
const DECLINED = 'pm_card_chargeDeclined';

export async function startCheckout({ harness }: Setup): Promise<Subject> {
  let answer = await harness.checkout(grove);
  // A busy machine may answer 503.
  for (let again = 0; answer.status === 503 && again < 3; again++) answer = await harness.checkout(grove);
  if (answer.status !== 200) throw new Error(`a checkout was answered ${answer.status}`);
  return { orderId: String(answer.body.orderId), intentId: intentIdOf(answer) };
}

const deliverNow =
  (type: string): Act =>
  async ({ collect, deliver }, { orderId }) => {
    const { wanted } = await collect(orderId, [type]);
    for (const sent of wanted) await deliver(sent);
  };

const pay =
  (method = 'pm_card_visa'): Act =>
  ({ harness }, { intentId }) =>
    harness.sandbox.stripe.paymentIntents
      .confirm(intentId, { payment_method: method, return_url: 'https://arboleda.test/' })
      .catch((error: { code?: string }) => {
        if (error.code !== 'card_declined') throw error;
      });

const settle =
  (outcome: 'succeeded' | 'failed'): Act =>
  ({ harness }, { intentId }) =>
    harness.sandbox.control('POST', `/payment_intents/${intentId}/settle`, { outcome });

const cancel: Act = ({ harness }, { intentId }) => harness.sandbox.stripe.paymentIntents.cancel(intentId);

/** In Stripe's dashboard; in full without an amount. */
const refund =
  (amount?: number): Act =>
  async ({ harness }, subject) => {
    const asked = { payment_intent: subject.intentId, ...(amount && { amount }) };
    subject.refundId = (await harness.sandbox.stripe.refunds.create(asked)).id;
  };

const refundByAdmin: Act = async ({ harness }, subject) => {
  const [payment] = await harness.query<{ id: string }>('select id from payments where order_id = $1', [
    subject.orderId,
  ]);
  const { body } = await refundInPanel(harness, payment!.id, { reason: 'less trees', amount: 500 });
  subject.refundId = String(body.refund.transactionId);
};

const failRefund: Act = ({ harness }, { refundId }) =>
  harness.sandbox.control('POST', `/refunds/${refundId}/fail`);

const dispute =
  (outcome: 'won' | 'lost'): Act =>
  async ({ harness }, { intentId }) => {
    const { stripe, control } = harness.sandbox;
    const { latest_charge: charge } = await stripe.paymentIntents.retrieve(intentId);
    const { id } = await control('POST', '/disputes', { charge });
    await control('POST', `/disputes/${id}/close`, { outcome });
  };

/** @returns the URL of Stripe's page */
async function buyPackage({ packages }: Setup, orderId: string): Promise<string> {
  const { status, body } = await packages.buy(orderId);
  if (status !== 200) throw new Error(`the sale of a package was answered ${status}`);
  return String(body.checkoutUrl);
}

const expirePackage: Act = async (setup, { orderId }) => {
  const sessionId = (await buyPackage(setup, orderId)).split('/').at(-1)!;
  await setup.harness.sandbox.stripe.checkout.sessions.expire(sessionId);
};

const payPackage =
  (card?: string): Act =>
  async (setup, subject) => {
    const { body } = await payOnPage(setup.harness, await buyPackage(setup, subject.orderId), card);
    subject.intentId = String(body.id);
  };

/** Pays a package and delivers its webhook. Later acts are about the trees. */
const sellPackage: Act = async (setup, subject) => {
  const { orderId } = subject;
  await payPackage()(setup, { ...subject });
  await deliverNow(COMPLETED)(setup, subject);
  await waitFor(`the package of ${orderId}`, async () => {
    const [order] = await setup.harness.query<{ growth: number }>(
      'select jsonb_array_length(growth) as growth from orders.orders where id = $1',
      [orderId],
    );
    return order?.growth === 1;
  });
};

/** Pays and delivers the webhook. */
const BUY = [pay(), deliverNow(PAID)];

const paid = (more: Partial<Ending> = {}): Ending => ({ payment: 'succeeded', order: {}, ...more });
const packageOf = (status: string, order: Ending['order'] = { growth: 1 }) =>
  paid({ packages: [status], order });
const STOPPED = { growth: 1, stopped: 1 };

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'paid',
    acts: [pay()],
    events: [CREATED, PAID],
    ending: paid(),
  },
  {
    name: 'declined, then paid',
    acts: [pay(DECLINED), pay()],
    events: [CREATED, FAILED, PAID],
    ending: paid(),
  },
  {
    name: 'slow, then paid',
    acts: [pay(SLOW), settle('succeeded')],
    events: [CREATED, PROCESSING, PAID],
    ending: paid(),
  },
  {
    name: 'slow, then declined',
    acts: [pay(SLOW), settle('failed')],
    events: [CREATED, PROCESSING, FAILED],
    ending: { payment: 'open', failure: 'generic_decline' },
  },
  {
    name: 'canceled',
    acts: [cancel],
    events: [CREATED, CANCELED],
    ending: { payment: 'canceled' },
  },
  {
    name: 'declined, then canceled',
    acts: [pay(DECLINED), cancel],
    events: [CREATED, FAILED, CANCELED],
    ending: { payment: 'canceled' },
  },
  {
    name: 'paid, part given back',
    acts: [pay(), refund(500)],
    events: [CREATED, PAID, REFUND],
    ending: paid({ refunds: ['500 succeeded'], order: { refundedMinor: 500 } }),
  },
  {
    name: 'paid, given back in two parts',
    acts: [pay(), refund(500), refund(1500)],
    events: [PAID, REFUND, REFUND],
    ending: paid({
      refunds: ['500 succeeded', '1500 succeeded'],
      order: { refundedMinor: 2000, givenBack: true },
    }),
  },
  {
    name: 'paid, a refund fails',
    acts: [pay(), refund(500), failRefund],
    events: [PAID, REFUND, REFUND_FAILED],
    ending: paid({ refunds: ['500 failed'] }),
  },
  {
    name: 'paid, an admin’s refund fails',
    acts: [...BUY, refundByAdmin, failRefund],
    events: [REFUND, REFUND_FAILED],
    ending: paid({ refunds: ['500 failed'] }),
  },
  {
    name: 'paid, disputed, won',
    acts: [pay(), dispute('won')],
    events: [PAID, ...DISPUTED],
    ending: paid({ disputes: ['won'], order: { disputes: ['won'] } }),
  },
  {
    name: 'paid, disputed, lost',
    acts: [pay(), dispute('lost')],
    events: [PAID, ...DISPUTED],
    ending: paid({ disputes: ['lost'], order: { disputes: ['lost'], givenBack: true } }),
  },
  {
    name: 'paid, part given back, disputed, lost',
    acts: [pay(), refund(500), dispute('lost')],
    events: [PAID, REFUND, ...DISPUTED],
    ending: paid({
      refunds: ['500 succeeded'],
      disputes: ['lost'],
      order: { refundedMinor: 500, disputes: ['lost'], givenBack: true },
    }),
  },
  {
    name: 'package paid',
    acts: [...BUY, payPackage()],
    events: [PAID, COMPLETED],
    ending: packageOf('active'),
  },
  {
    name: 'package expired, another paid',
    acts: [...BUY, expirePackage, payPackage()],
    events: ['checkout.session.expired', PAID, COMPLETED],
    ending: paid({ packages: ['expired', 'active'], order: { growth: 1 } }),
  },
  {
    name: 'package paid slowly',
    acts: [...BUY, payPackage(SLOW_NUMBER), settle('succeeded')],
    events: [COMPLETED, PAID, 'checkout.session.async_payment_succeeded'],
    ending: packageOf('active'),
  },
  {
    name: 'package paid slowly, fails',
    acts: [...BUY, payPackage(SLOW_NUMBER), settle('failed')],
    events: [COMPLETED, FAILED, 'checkout.session.async_payment_failed'],
    ending: packageOf('failed', {}),
  },
  {
    name: 'package paid, given back',
    acts: [...BUY, payPackage(), refund()],
    events: [PAID, COMPLETED, REFUND],
    ending: packageOf('stopped, 2500 succeeded', STOPPED),
  },
  {
    name: 'package paid, disputed, lost',
    acts: [...BUY, payPackage(), dispute('lost')],
    events: [COMPLETED, ...DISPUTED],
    ending: packageOf('stopped, lost', STOPPED),
  },
  {
    name: 'package paid, its refund fails',
    acts: [...BUY, payPackage(), refund(), failRefund],
    events: [COMPLETED, REFUND, REFUND_FAILED],
    ending: packageOf('active, 2500 failed'),
  },
  {
    name: 'package sold, its trees given back before planting',
    acts: [...BUY, sellPackage, refund(500), refund(1500)],
    events: [REFUND, REFUND],
    ending: paid({
      refunds: ['500 succeeded', '1500 succeeded'],
      packages: ['stopped, 2500 succeeded'],
      order: { refundedMinor: 2000, givenBack: true, ...STOPPED },
    }),
  },
];
