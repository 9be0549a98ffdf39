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
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { isPaid, type Order } from '../order.ts';
import type { Receipts } from './receipts.ts';

/** Wrong addresses allowed in 15 minutes: for a link from one network, and for a link from all. */
const WRONG = { linkAndNetwork: 10, link: 100 };
const WINDOW_SECONDS = 900;
const SWEPT_AT_ONCE = 100;

interface Asked {
  email: string;
  language: Language;
  /** The caller's IP address. */
  address: string;
}

/** Receipts by private link. Links get shared, so the buyer's email address is asked for as well. */
export interface GuestReceipts {
  /** @throws Problem `not-found`, `receipt-erased`, `too-many-requests`, or one that names `email` */
  of(order: Order, asked: Asked): ReturnType<Receipts['of']>;
}

export function openGuestReceipts(parts: {
  sql: Pick<Sql, 'query'>;
  receipts: Receipts;
  secret: string;
  clock: () => Date;
}): GuestReceipts {
  const { sql, receipts, clock } = parts;
  const digest = keyedDigest(parts.secret, 'attempts at receipts');
  const limitOf = (keyPrefix: string, max: number) =>
    openAttemptLimit(sql, keyPrefix, { max, windowSeconds: WINDOW_SECONDS });
  const pairs = limitOf('receipt-network', WRONG.linkAndNetwork);
  const links = limitOf('receipt', WRONG.link);

  return {
    async of(order, { email, language, address }) {
      if (!isPaid(order)) throw new Problem('not-found');
      if (isErased(order.customer.email)) throw new Problem('receipt-erased');
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
      return receipts.of(order, language);
    },
  };
}
