import {
  openAttemptLimit,
  sweepAttempts,
  takeAttempt,
  tooManyAttempts,
} from '@arboleda/chassis/attempt-limits.ts';
import { networkOf } from '@arboleda/chassis/http/network.ts';
import { keyedDigest } from '@arboleda/chassis/keyed-digest.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import { fieldProblem, Problem, type ProblemType } from '@arboleda/contracts/problems.ts';
import { isPaid, type Order } from './order/order.ts';

/** Wrong addresses allowed in 15 minutes: for a link from one network, and for a link from all. */
const WRONG = { linkAndNetwork: 10, link: 100 };
const WINDOW_SECONDS = 900;
const SWEPT_AT_ONCE = 100;

interface Claim {
  email: string;
  /** The caller's IP address. */
  address: string;
  /** The problem when the buyer's data was erased. */
  erased: ProblemType;
  /** Before the transfer is approved, too. */
  isUnpaidToo?: true;
}

/** Proves that a caller with a private link is the buyer. Links get shared, so the buyer's email address is asked for. */
export interface BuyerProof {
  /** @throws Problem `not-found`, the one for erased data, `too-many-requests`, or one that names `email` */
  require(order: Order, claim: Claim): Promise<void>;
}

export function openBuyerProof(parts: {
  sql: Pick<Sql, 'query'>;
  secret: string;
  clock: () => Date;
}): BuyerProof {
  const { sql, clock } = parts;
  const digest = keyedDigest(parts.secret, 'attempts at being the buyer');
  const limitOf = (keyPrefix: string, max: number) =>
    openAttemptLimit(sql, keyPrefix, { max, windowSeconds: WINDOW_SECONDS });
  const pairs = limitOf('buyer-network', WRONG.linkAndNetwork);
  const links = limitOf('buyer', WRONG.link);

  return {
    async require(order, { email, address, erased, isUnpaidToo }) {
      if (!isUnpaidToo && !isPaid(order)) throw new Problem('not-found');
      if (isErased(order.customer.email)) throw new Problem(erased);
      await sweepAttempts(sql, clock(), SWEPT_AT_ONCE);
      const link = digest(order.token);
      const pair = `${link}:${digest(networkOf(address))}`;
      // Counted before the comparison, so that attempts at the same time count too.
      const { remainingPoints, msBeforeNext } = await takeAttempt(pairs, pair);
      await takeAttempt(links, link);
      if (email.toLowerCase() !== order.customer.email.toLowerCase()) {
        throw remainingPoints === 0
          ? tooManyAttempts(msBeforeNext)
          : fieldProblem('email', 'not-the-orders-email');
      }
      await Promise.all([pairs.delete(pair), links.reward(link)]);
    },
  };
}
