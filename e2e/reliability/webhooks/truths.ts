import type { Setup } from './setup.ts';

/** How everything must stand in the end; amounts in minor units. A grove costs 2000. */
export interface Ending {
  payment: string;
  /** Why the last attempt failed. */
  failure?: string;
  /** By amount. */
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

/** What a history is about at the moment. */
interface Subject {
  orderId: string;
  /** That of the trees, or of the package once it is paid. */
  intentId: string;
  refundId?: string;
  disputeId?: string;
}
type Act = (setup: Setup, subject: Subject) => Promise<unknown>;

const pay =
  (method?: string): Act =>
  (setup, { intentId }) =>
    setup.pay(intentId, method);
const settle =
  (outcome: 'succeeded' | 'failed'): Act =>
  (setup, { intentId }) =>
    setup.settle(intentId, outcome);
const cancel: Act = (setup, { intentId }) => setup.cancel(intentId);
const refund =
  (amount?: number): Act =>
  async (setup, subject) => {
    subject.refundId = (await setup.refundInDashboard(subject.intentId, amount)).id;
  };
const refundByAdmin: Act = async (setup, subject) => {
  subject.refundId = await setup.refundAsAdmin(subject.orderId, 500);
};
const failRefund: Act = (setup, { refundId }) => setup.failRefund(refundId!);
const dispute =
  (outcome: 'won' | 'lost'): Act =>
  async (setup, { intentId }) => {
    const { id } = await setup.dispute(intentId);
    await setup.closeDispute(String(id), outcome);
  };
const expirePackage: Act = async (setup, { orderId }) =>
  setup.expireSession((await setup.buyPackage(orderId)).sessionId);
const payPackage =
  (card?: string): Act =>
  async (setup, subject) => {
    const { checkoutUrl } = await setup.buyPackage(subject.orderId);
    subject.intentId = await setup.payPackage(checkoutUrl, card);
  };
const sellPackage: Act = (setup, { orderId }) => setup.sellPackage(orderId);

const happen =
  (begin: (setup: Setup) => Promise<Subject>, acts: readonly Act[]): Truth['happen'] =>
  async (setup) => {
    const subject = await begin(setup);
    for (const act of acts) await act(setup, subject);
    return subject.orderId;
  };
/** A started checkout with what follows. */
const started = (...acts: Act[]) => happen((setup) => setup.start(), acts);
/** A paid order, which is known, with what follows. */
const bought = (...acts: Act[]) => happen((setup) => setup.paid(), acts);

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

/** A paid payment with what else is so. */
const paid = (more: Partial<Ending> = {}): Ending => ({ payment: 'succeeded', order: {}, ...more });
const packageOf = (status: string, order: Ending['order'] = { growth: 1 }) =>
  paid({ packages: [status], order });
const STOPPED = { growth: 1, stopped: 1 };

export const TRUTHS: readonly Truth[] = [
  {
    name: 'paid',
    happen: started(pay()),
    tells: [CREATED, PAID],
    ending: paid(),
  },
  {
    name: 'declined, then paid',
    happen: started(pay(DECLINED), pay()),
    tells: [CREATED, FAILED, PAID],
    ending: paid(),
  },
  {
    name: 'slow, then paid',
    happen: started(pay(SLOW), settle('succeeded')),
    tells: [CREATED, PROCESSING, PAID],
    ending: paid(),
  },
  {
    name: 'slow, then declined',
    happen: started(pay(SLOW), settle('failed')),
    tells: [CREATED, PROCESSING, FAILED],
    ending: { payment: 'open', failure: 'generic_decline' },
  },
  {
    name: 'canceled',
    happen: started(cancel),
    tells: [CREATED, CANCELED],
    ending: { payment: 'canceled' },
  },
  {
    name: 'declined, then canceled',
    happen: started(pay(DECLINED), cancel),
    tells: [CREATED, FAILED, CANCELED],
    ending: { payment: 'canceled' },
  },
  {
    name: 'paid, part given back',
    happen: started(pay(), refund(500)),
    tells: [CREATED, PAID, REFUND],
    ending: paid({ refunds: ['500 succeeded'], order: { refundedMinor: 500 } }),
  },
  {
    name: 'paid, given back in two parts',
    happen: started(pay(), refund(500), refund(1500)),
    tells: [PAID, REFUND, REFUND],
    ending: paid({
      refunds: ['500 succeeded', '1500 succeeded'],
      order: { refundedMinor: 2000, givenBack: true },
    }),
  },
  {
    name: 'paid, a refund fails',
    happen: started(pay(), refund(500), failRefund),
    tells: [PAID, REFUND, REFUND_FAILED],
    ending: paid({ refunds: ['500 failed'] }),
  },
  {
    name: 'paid, an admin’s refund fails',
    happen: bought(refundByAdmin, failRefund),
    tells: [REFUND, REFUND_FAILED],
    ending: paid({ refunds: ['500 failed'] }),
  },
  {
    name: 'paid, disputed, won',
    happen: started(pay(), dispute('won')),
    tells: [PAID, ...DISPUTED],
    ending: paid({ disputes: ['won'], order: { disputes: ['won'] } }),
  },
  {
    name: 'paid, disputed, lost',
    happen: started(pay(), dispute('lost')),
    tells: [PAID, ...DISPUTED],
    ending: paid({ disputes: ['lost'], order: { disputes: ['lost'], givenBack: true } }),
  },
  {
    name: 'paid, part given back, disputed, lost',
    happen: started(pay(), refund(500), dispute('lost')),
    tells: [PAID, REFUND, ...DISPUTED],
    ending: paid({
      refunds: ['500 succeeded'],
      disputes: ['lost'],
      order: { refundedMinor: 500, disputes: ['lost'], givenBack: true },
    }),
  },
  {
    name: 'package paid',
    happen: bought(payPackage()),
    tells: [PAID, COMPLETED],
    ending: packageOf('active'),
  },
  {
    name: 'package expired, another paid',
    happen: bought(expirePackage, payPackage()),
    tells: ['checkout.session.expired', PAID, COMPLETED],
    ending: paid({ packages: ['expired', 'active'], order: { growth: 1 } }),
  },
  {
    name: 'package paid slowly',
    happen: bought(payPackage(SLOW_NUMBER), settle('succeeded')),
    tells: [COMPLETED, PAID, 'checkout.session.async_payment_succeeded'],
    ending: packageOf('active'),
  },
  {
    name: 'package paid slowly, in vain',
    happen: bought(payPackage(SLOW_NUMBER), settle('failed')),
    tells: [COMPLETED, FAILED, 'checkout.session.async_payment_failed'],
    ending: packageOf('failed', {}),
  },
  {
    name: 'package paid, given back',
    happen: bought(payPackage(), refund()),
    tells: [PAID, COMPLETED, REFUND],
    ending: packageOf('stopped, 2500 succeeded', STOPPED),
  },
  {
    name: 'package paid, disputed, lost',
    happen: bought(payPackage(), dispute('lost')),
    tells: [COMPLETED, ...DISPUTED],
    ending: packageOf('stopped, lost', STOPPED),
  },
  {
    name: 'package paid, its refund fails',
    happen: bought(payPackage(), refund(), failRefund),
    tells: [COMPLETED, REFUND, REFUND_FAILED],
    ending: packageOf('active, 2500 failed'),
  },
  {
    name: 'package sold, its trees given back before planting',
    happen: bought(sellPackage, refund(500), refund(1500)),
    tells: [REFUND, REFUND],
    ending: paid({
      refunds: ['500 succeeded', '1500 succeeded'],
      packages: ['stopped, 2500 succeeded'],
      order: { refundedMinor: 2000, givenBack: true, ...STOPPED },
    }),
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
