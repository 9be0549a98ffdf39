import { isIP } from 'node:net';
import type { Logger } from '../log.ts';
import { followReplicas, type FollowOptions } from './replicas-follow.ts';
import { answersReady } from './replicas-io.ts';

/** One process of a service. */
export interface Replica {
  /** "172.18.0.5:8080": what logs and figures call it. */
  readonly name: string;
  /** "http://172.18.0.5:8080" */
  readonly url: string;
  /** Its address is no longer one of the service's; calls on their way to it may still end. */
  readonly isGone: boolean;
}

/** Those who share the work of one service. */
export interface Replicas {
  /**
   * Whose turn it is: of those that are ready; of all that are known when none is.
   * @param tried are left out as long as there is another.
   */
  pick(tried?: readonly Replica[]): Replica;
  /** No connection could be made: it has no turn until it says that it is ready. */
  unreached(replica: Replica): void;
  /** Whether at least one is ready. */
  areReady(): Promise<boolean>;
  close(): void;
}

/** A fixed address is asked by hand, not every second: it may take longer. */
const READY_WITHIN_MS = 2_000;

/**
 * The replicas behind a URL. A name is followed: all its addresses, each asked for its readiness. An IP address,
 * localhost and https (whose certificate is the name's) are one fixed place and cost nothing.
 */
export function openReplicas(url: string, logger: Logger, options: Partial<FollowOptions> = {}): Replicas {
  return isFixed(new URL(url)) ? fixed(url) : followReplicas(url, logger, options);
}

const isFixed = ({ protocol, hostname }: URL): boolean =>
  protocol !== 'http:' || hostname === 'localhost' || hostname.startsWith('[') || isIP(hostname) !== 0;

function fixed(url: string): Replicas {
  const only: Replica = { name: new URL(url).host, url, isGone: false };
  return {
    pick: () => only,
    unreached: () => undefined,
    areReady: () => answersReady(url, READY_WITHIN_MS),
    close: () => undefined,
  };
}
