import type { Setup } from './setup.ts';

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
  happen(setup: Setup): Promise<string>;
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
  (then: (setup: Setup, intentId: string) => Promise<unknown>): Truth['happen'] =>
  async (setup) => {
    const { orderId, intentId } = await setup.start();
    await then(setup, intentId);
    return orderId;
  };

/** A paid order, which is known, with what follows on its page of growth packages. */
const bought =
  (then: (setup: Setup, orderId: string) => Promise<unknown>): Truth['happen'] =>
  async (setup) => {
    const { orderId } = await setup.paid();
    await then(setup, orderId);
    return orderId;
  };

const disputed = (outcome: 'won' | 'lost') =>
  started(async (setup, intentId) => {
    await setup.pay(intentId);
    const { id } = await setup.dispute(intentId);
    await setup.closeDispute(String(id), outcome);
  });

const paid: Ending = { payment: 'succeeded', order: {} };

export const TRUTHS: readonly Truth[] = [
  {
    name: 'paid',
    happen: started((setup, intentId) => setup.pay(intentId)),
    tells: [CREATED, PAID],
    ending: paid,
  },
  {
    name: 'declined, then paid',
    happen: started(async (setup, intentId) => {
      await setup.pay(intentId, DECLINED);
      await setup.pay(intentId);
    }),
    tells: [CREATED, FAILED, PAID],
    ending: paid,
  },
  {
    name: 'slow, then paid',
    happen: started(async (setup, intentId) => {
      await setup.pay(intentId, SLOW);
      await setup.settle(intentId, 'succeeded');
    }),
    tells: [CREATED, 'payment_intent.processing', PAID],
    ending: paid,
  },
  {
    name: 'slow, then declined',
    happen: started(async (setup, intentId) => {
      await setup.pay(intentId, SLOW);
      await setup.settle(intentId, 'failed');
    }),
    tells: [CREATED, 'payment_intent.processing', FAILED],
    ending: { payment: 'open', failure: 'generic_decline' },
  },
  {
    name: 'canceled',
    happen: started((setup, intentId) => setup.cancel(intentId)),
    tells: [CREATED, 'payment_intent.canceled'],
    ending: { payment: 'canceled' },
  },
  {
    name: 'declined, then canceled',
    happen: started(async (setup, intentId) => {
      await setup.pay(intentId, DECLINED);
      await setup.cancel(intentId);
    }),
    tells: [CREATED, FAILED, 'payment_intent.canceled'],
    ending: { payment: 'canceled' },
  },
  {
    name: 'paid, part given back',
    happen: started(async (setup, intentId) => {
      await setup.pay(intentId);
      await setup.refundInDashboard(intentId, 500);
    }),
    tells: [CREATED, PAID, REFUND],
    ending: { payment: 'succeeded', refunds: ['500 succeeded'], order: { refundedMinor: 500 } },
  },
  {
    name: 'paid, given back in two parts',
    happen: started(async (setup, intentId) => {
      await setup.pay(intentId);
      await setup.refundInDashboard(intentId, 500);
      await setup.refundInDashboard(intentId, 1500);
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
    happen: started(async (setup, intentId) => {
      await setup.pay(intentId);
      const { id } = await setup.refundInDashboard(intentId, 500);
      await setup.failRefund(id);
    }),
    tells: [PAID, REFUND, 'refund.failed'],
    ending: { payment: 'succeeded', refunds: ['500 failed'], order: {} },
  },
  {
    name: 'paid, an admin’s refund fails',
    happen: async (setup) => {
      const { orderId } = await setup.paid();
      await setup.failRefund(await setup.refundAsAdmin(orderId, 500));
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
    happen: started(async (setup, intentId) => {
      await setup.pay(intentId);
      await setup.refundInDashboard(intentId, 500);
      const { id } = await setup.dispute(intentId);
      await setup.closeDispute(String(id), 'lost');
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
    happen: bought(async (setup, orderId) => {
      await setup.payPackage((await setup.buyPackage(orderId)).checkoutUrl);
    }),
    tells: [PAID, COMPLETED],
    ending: { payment: 'succeeded', packages: ['active'], order: { growth: 1 } },
  },
  {
    name: 'package expired, another paid',
    happen: bought(async (setup, orderId) => {
      await setup.expireSession((await setup.buyPackage(orderId)).sessionId);
      await setup.payPackage((await setup.buyPackage(orderId)).checkoutUrl);
    }),
    tells: ['checkout.session.expired', PAID, COMPLETED],
    ending: { payment: 'succeeded', packages: ['expired', 'active'], order: { growth: 1 } },
  },
  {
    name: 'package paid slowly',
    happen: bought(async (setup, orderId) => {
      const { checkoutUrl } = await setup.buyPackage(orderId);
      await setup.settle(await setup.payPackage(checkoutUrl, SLOW_NUMBER), 'succeeded');
    }),
    tells: [COMPLETED, PAID, 'checkout.session.async_payment_succeeded'],
    ending: { payment: 'succeeded', packages: ['active'], order: { growth: 1 } },
  },
  {
    name: 'package paid slowly, in vain',
    happen: bought(async (setup, orderId) => {
      const { checkoutUrl } = await setup.buyPackage(orderId);
      await setup.settle(await setup.payPackage(checkoutUrl, SLOW_NUMBER), 'failed');
    }),
    tells: [COMPLETED, FAILED, 'checkout.session.async_payment_failed'],
    ending: { payment: 'succeeded', packages: ['failed'], order: {} },
  },
  {
    name: 'package paid, given back',
    happen: bought(async (setup, orderId) => {
      const intentId = await setup.payPackage((await setup.buyPackage(orderId)).checkoutUrl);
      await setup.refundInDashboard(intentId);
    }),
    tells: [PAID, COMPLETED, REFUND],
    ending: { payment: 'succeeded', packages: ['stopped, 2500 succeeded'], order: { growth: 1, stopped: 1 } },
  },
  {
    name: 'package paid, disputed, lost',
    happen: bought(async (setup, orderId) => {
      const intentId = await setup.payPackage((await setup.buyPackage(orderId)).checkoutUrl);
      const { id } = await setup.dispute(intentId);
      await setup.closeDispute(String(id), 'lost');
    }),
    tells: [COMPLETED, 'charge.dispute.created', 'charge.dispute.closed'],
    ending: { payment: 'succeeded', packages: ['stopped, lost'], order: { growth: 1, stopped: 1 } },
  },
  {
    name: 'package paid, its refund fails',
    happen: bought(async (setup, orderId) => {
      const intentId = await setup.payPackage((await setup.buyPackage(orderId)).checkoutUrl);
      const { id } = await setup.refundInDashboard(intentId);
      await setup.failRefund(id);
    }),
    tells: [COMPLETED, REFUND, 'refund.failed'],
    ending: { payment: 'succeeded', packages: ['active, 2500 failed'], order: { growth: 1 } },
  },
  {
    name: 'package sold, its trees given back before planting',
    happen: async (setup) => {
      const { orderId, intentId } = await setup.paid();
      await setup.sellPackage(orderId);
      await setup.refundInDashboard(intentId, 500);
      await setup.refundInDashboard(intentId, 1500);
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

/** Indexes of the delivered events, in order of arrival. An index may repeat or be missing. */
export type History = readonly number[];

const MOST_TIMES = 2;

/**
 * All ways in which so many events can arrive, each twice at most: every order, with repeats and losses. When there are
 * more than `limit`, those in which each comes exactly once, as far as they are not more than half, and evenly chosen others.
 */
export function histories(events: number, limit: number): History[] {
  const all = everyHistory(events);
  if (all.length <= limit) return all;
  const plain = all.filter((history) => isPlain(history, events));
  const others = all.filter((history) => !isPlain(history, events));
  const plainOnes = evenly(plain, Math.min(plain.length, Math.ceil(limit / 2)));
  return [...plainOnes, ...evenly(others, limit - plainOnes.length)];
}

/** Picks `count` evenly, starting with the first. */
const evenly = <T>(all: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_none, at) => all[Math.floor((at * all.length) / count)]!);

const isPlain = (history: History, events: number) =>
  history.length === events && new Set(history).size === events;

/** Whether something never arrived. */
export const isLossy = (history: History, events: number): boolean => new Set(history).size < events;

function everyHistory(events: number): History[] {
  const found: History[] = [];
  const left = Array.from({ length: events }, () => MOST_TIMES);
  const now: number[] = [];
  const go = () => {
    found.push([...now]);
    for (let event = 0; event < events; event++) {
      if (left[event] === 0) continue;
      left[event]!--;
      now.push(event);
      go();
      now.pop();
      left[event]!++;
    }
  };
  go();
  return found;
}
