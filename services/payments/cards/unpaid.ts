import { tooManyAttempts } from '@arboleda/chassis/attempt-limits.ts';
import { networkOf } from '@arboleda/chassis/http/network.ts';
import { keyedDigest } from '@arboleda/chassis/keyed-digest.ts';

/**
 * Card payments that one network may start in the window without paying them. Testers of stolen cards leave most unpaid; the
 * people of an office or a fair share one address and pay.
 */
export const UNPAID_OF_NETWORK = 60;
export const UNPAID_WINDOW_MS = 10 * 60_000;

/** A payment that a network starts. */
export interface Starting {
  /** Undefined where nothing is counted. */
  networkHash: string | undefined;
  at: Date;
  /** How many more may be unpaid, without those that other calls were starting then; 0 or less: none. */
  room: number;
}

/**
 * Bounds the unpaid card payments of a network: those stored before a call begins, and those that this process is starting
 * then.
 */
export interface UnpaidBound {
  /** Counts a payment as starting until `start` ends. @param address the caller's IP address */
  starting<T>(address: string, start: (network: Starting) => Promise<T>): Promise<T>;
  /** @param fullSince when the payment started that takes the last place. @throws Problem `too-many-requests` */
  require(network: Starting, fullSince: Date | undefined): void;
}

/** @param max no bound when absent */
export function openUnpaidBound(parts: {
  max: number | undefined;
  secret: string;
  clock: () => Date;
}): UnpaidBound {
  const { max, clock } = parts;
  const digest = keyedDigest(parts.secret, 'networks of card payments');
  const starting = new Map<string, number>();
  const add = (hash: string, n: number) => {
    const count = (starting.get(hash) ?? 0) + n;
    if (count === 0) starting.delete(hash);
    else starting.set(hash, count);
    return count;
  };

  return {
    async starting(address, start) {
      const at = clock();
      if (max === undefined) return start({ networkHash: undefined, at, room: Infinity });
      const networkHash = digest(networkOf(address));
      const others = add(networkHash, 1) - 1;
      try {
        return await start({ networkHash, at, room: max - others });
      } finally {
        add(networkHash, -1);
      }
    },
    require({ room }, fullSince) {
      // Payments that are being started are stored or refused within a second.
      if (room <= 0) throw tooManyAttempts(1_000);
      if (fullSince) throw tooManyAttempts(fullSince.getTime() + UNPAID_WINDOW_MS - clock().getTime());
    },
  };
}
