import type { Stage } from './stage.ts';

/** How everything must stand in the end; amounts in minor units. A grove costs 2000. */
export interface Ending {
  payment: string;
  /** Why the last attempt failed. */
  failure?: string;
  refunds?: readonly string[];
  disputes?: readonly string[];
  packages?: readonly string[];
  order?: {
    refundedMinor?: number;
    disputes?: readonly string[];
    growth?: number;
    /** Packages whose money went back. */
    stopped?: number;
    /** All money of the trees went back. */
    givenBack?: boolean;
  };
}

/** A change at the provider with its events. */
export interface Truth {
  name: string;
  /** Brings it about; what is told before `tells` counts has been delivered. @returns the order's id */
  happen(stage: Stage): Promise<string>;
  tells: readonly string[];
  ending: Ending;
}

const CREATED = 'payment_intent.created';
const PAID = 'payment_intent.succeeded';
const FAILED = 'payment_intent.payment_failed';
const REFUND = 'refund.created';
const COMPLETED = 'checkout.session.completed';
const SLOW = 'pm_card_processing';
const SLOW_NUMBER = '4000000000000606';
const DECLINED = 'pm_card_chargeDeclined';

/** A started checkout with what follows. */
const started =
  (then: (stage: Stage, intentId: string) => Promise<unknown>): Truth['happen'] =>
  async (stage) => {
    const { orderId, intentId } = await stage.start();
    await then(stage, intentId);
    return orderId;
  };

/** A paid order, which is known, with what follows on its page of growth packages. */
const bought =
  (then: (stage: Stage, orderId: string) => Promise<unknown>): Truth['happen'] =>
  async (stage) => {
    const { orderId } = await stage.paid();
    await then(stage, orderId);
    return orderId;
  };

const disputed = (outcome: 'won' | 'lost') =>
  started(async (stage, intentId) => {
    await stage.pay(intentId);
    const { id } = await stage.dispute(intentId);
    await stage.closeDispute(String(id), outcome);
  });

const paid: Ending = { payment: 'succeeded', order: {} };

export const TRUTHS: readonly Truth[] = [
  {
    name: 'paid',
    happen: started((stage, intentId) => stage.pay(intentId)),
    tells: [CREATED, PAID],
    ending: paid,
  },
  {
    name: 'declined, then paid',
    happen: started(async (stage, intentId) => {
      await stage.pay(intentId, DECLINED);
      await stage.pay(intentId);
    }),
    tells: [CREATED, FAILED, PAID],
    ending: paid,
  },
  {
    name: 'slow, then paid',
    happen: started(async (stage, intentId) => {
      await stage.pay(intentId, SLOW);
      await stage.settle(intentId, 'succeeded');
    }),
    tells: [CREATED, 'payment_intent.processing', PAID],
    ending: paid,
  },
  {
    name: 'slow, then declined',
    happen: started(async (stage, intentId) => {
      await stage.pay(intentId, SLOW);
      await stage.settle(intentId, 'failed');
    }),
    tells: [CREATED, 'payment_intent.processing', FAILED],
    ending: { payment: 'open', failure: 'generic_decline' },
  },
  {
    name: 'canceled',
    happen: started((stage, intentId) => stage.cancel(intentId)),
    tells: [CREATED, 'payment_intent.canceled'],
    ending: { payment: 'canceled' },
  },
  {
    name: 'declined, then canceled',
    happen: started(async (stage, intentId) => {
      await stage.pay(intentId, DECLINED);
      await stage.cancel(intentId);
    }),
    tells: [CREATED, FAILED, 'payment_intent.canceled'],
    ending: { payment: 'canceled' },
  },
  {
    name: 'paid, part given back',
    happen: started(async (stage, intentId) => {
      await stage.pay(intentId);
      await stage.refundInDashboard(intentId, 500);
    }),
    tells: [CREATED, PAID, REFUND],
    ending: { payment: 'succeeded', refunds: ['500 succeeded'], order: { refundedMinor: 500 } },
  },
  {
    name: 'paid, given back in two parts',
    happen: started(async (stage, intentId) => {
      await stage.pay(intentId);
      await stage.refundInDashboard(intentId, 500);
      await stage.refundInDashboard(intentId, 1500);
    }),
    tells: [PAID, REFUND, REFUND],
    ending: {
      payment: 'succeeded',
      refunds: ['1500 succeeded', '500 succeeded'],
      order: { refundedMinor: 2000, givenBack: true },
    },
  },
  {
    name: 'paid, a refund fails',
    happen: started(async (stage, intentId) => {
      await stage.pay(intentId);
      const { id } = await stage.refundInDashboard(intentId, 500);
      await stage.failRefund(id);
    }),
    tells: [PAID, REFUND, 'refund.failed'],
    ending: { payment: 'succeeded', refunds: ['500 failed'], order: {} },
  },
  {
    name: 'paid, an admin’s refund fails',
    happen: async (stage) => {
      const { orderId } = await stage.paid();
      await stage.failRefund(await stage.refundAsAdmin(orderId, 500));
      return orderId;
    },
    tells: [REFUND, 'refund.failed'],
    ending: { payment: 'succeeded', refunds: ['500 failed'], order: {} },
  },
  {
    name: 'paid, disputed, won',
    happen: disputed('won'),
    tells: [PAID, 'charge.dispute.created', 'charge.dispute.closed'],
    ending: { payment: 'succeeded', disputes: ['won'], order: { disputes: ['won'] } },
  },
  {
    name: 'paid, disputed, lost',
    happen: disputed('lost'),
    tells: [PAID, 'charge.dispute.created', 'charge.dispute.closed'],
    ending: { payment: 'succeeded', disputes: ['lost'], order: { disputes: ['lost'], givenBack: true } },
  },
  {
    name: 'paid, part given back, disputed, lost',
    happen: started(async (stage, intentId) => {
      await stage.pay(intentId);
      await stage.refundInDashboard(intentId, 500);
      const { id } = await stage.dispute(intentId);
      await stage.closeDispute(String(id), 'lost');
    }),
    tells: [PAID, REFUND, 'charge.dispute.created', 'charge.dispute.closed'],
    ending: {
      payment: 'succeeded',
      refunds: ['500 succeeded'],
      disputes: ['lost'],
      order: { refundedMinor: 500, disputes: ['lost'], givenBack: true },
    },
  },
  {
    name: 'package paid',
    happen: bought(async (stage, orderId) => {
      await stage.payPackage((await stage.buyPackage(orderId)).checkoutUrl);
    }),
    tells: [PAID, COMPLETED],
    ending: { payment: 'succeeded', packages: ['active'], order: { growth: 1 } },
  },
  {
    name: 'package expired, another paid',
    happen: bought(async (stage, orderId) => {
      await stage.expireSession((await stage.buyPackage(orderId)).sessionId);
      await stage.payPackage((await stage.buyPackage(orderId)).checkoutUrl);
    }),
    tells: ['checkout.session.expired', PAID, COMPLETED],
    ending: { payment: 'succeeded', packages: ['expired', 'active'], order: { growth: 1 } },
  },
  {
    name: 'package paid slowly',
    happen: bought(async (stage, orderId) => {
      const { checkoutUrl } = await stage.buyPackage(orderId);
      await stage.settle(await stage.payPackage(checkoutUrl, SLOW_NUMBER), 'succeeded');
    }),
    tells: [COMPLETED, PAID, 'checkout.session.async_payment_succeeded'],
    ending: { payment: 'succeeded', packages: ['active'], order: { growth: 1 } },
  },
  {
    name: 'package paid slowly, in vain',
    happen: bought(async (stage, orderId) => {
      const { checkoutUrl } = await stage.buyPackage(orderId);
      await stage.settle(await stage.payPackage(checkoutUrl, SLOW_NUMBER), 'failed');
    }),
    tells: [COMPLETED, FAILED, 'checkout.session.async_payment_failed'],
    ending: { payment: 'succeeded', packages: ['failed'], order: {} },
  },
  {
    name: 'package paid, given back',
    happen: bought(async (stage, orderId) => {
      const intentId = await stage.payPackage((await stage.buyPackage(orderId)).checkoutUrl);
      await stage.refundInDashboard(intentId);
    }),
    tells: [PAID, COMPLETED, REFUND],
    ending: { payment: 'succeeded', packages: ['stopped, 2500 succeeded'], order: { growth: 1, stopped: 1 } },
  },
  {
    name: 'package paid, disputed, lost',
    happen: bought(async (stage, orderId) => {
      const intentId = await stage.payPackage((await stage.buyPackage(orderId)).checkoutUrl);
      const { id } = await stage.dispute(intentId);
      await stage.closeDispute(String(id), 'lost');
    }),
    tells: [COMPLETED, 'charge.dispute.created', 'charge.dispute.closed'],
    ending: { payment: 'succeeded', packages: ['stopped, lost'], order: { growth: 1, stopped: 1 } },
  },
  {
    name: 'package paid, its refund fails',
    happen: bought(async (stage, orderId) => {
      const intentId = await stage.payPackage((await stage.buyPackage(orderId)).checkoutUrl);
      const { id } = await stage.refundInDashboard(intentId);
      await stage.failRefund(id);
    }),
    tells: [COMPLETED, REFUND, 'refund.failed'],
    ending: { payment: 'succeeded', packages: ['active, 2500 failed'], order: { growth: 1 } },
  },
  {
    name: 'package sold, its trees given back before planting',
    happen: async (stage) => {
      const { orderId, intentId } = await stage.paid();
      await stage.sellPackage(orderId);
      await stage.refundInDashboard(intentId, 500);
      await stage.refundInDashboard(intentId, 1500);
      return orderId;
    },
    tells: [REFUND, REFUND],
    ending: {
      payment: 'succeeded',
      refunds: ['1500 succeeded', '500 succeeded'],
      packages: ['stopped, 2500 succeeded'],
      order: { refundedMinor: 2000, givenBack: true, growth: 1, stopped: 1 },
    },
  },
];
