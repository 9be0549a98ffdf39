import { lookup, Resolver } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import type { Logger } from '../log.ts';
import { repeat, type Repeated } from '../repeat.ts';

/** One process of a service. */
export interface Replica {
  /** "172.18.0.5:8080", for logs and metrics. */
  readonly name: string;
  /** "http://172.18.0.5:8080" */
  readonly url: string;
  /** DNS no longer lists its address; calls in progress may still finish. */
  readonly isGone: boolean;
}

/** The replicas of one service. */
export interface Replicas {
  /**
   * The next replica, round-robin: a ready one, or any known one when none is ready.
   * @param tried replicas to avoid if there is another
   */
  pick(tried?: readonly Replica[]): Replica;
  /** Reports a failed connection: the replica is skipped until it is ready again. */
  unreached(replica: Replica): void;
  /** Whether at least one is ready. */
  areReady(): Promise<boolean>;
  close(): void;
}

/** A fixed address is probed on demand only, so it may take longer. */
const FIXED_READY_WITHIN_MS = 2_000;

/**
 * Follows the replicas behind a host name: all addresses in DNS, each probed for readiness. An IP address, localhost
 * or https URL (the certificate is the name's) is used as it is.
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
    areReady: () => answersReady(url, FIXED_READY_WITHIN_MS),
    close: () => undefined,
  };
}

export interface FollowOptions {
  /** All addresses of a name. @throws when DNS fails; known replicas are kept then */
  resolve(hostname: string): Promise<string[]>;
  /** Whether the replica at a URL is ready. Never throws. */
  probe(url: string): Promise<boolean>;
  /** Pause between two DNS queries, and between two probes. */
  everyMs: number;
  onGone(replica: Replica): void;
}

const EVERY_MS = 1_000;
const READY_WITHIN_MS = 1_000;

interface Followed extends Replica {
  isReady: boolean;
  /** A replica that never was ready may still be starting. */
  wasReady: boolean;
  isGone: boolean;
  probing?: Repeated;
}

function followReplicas(url: string, logger: Logger, options: Partial<FollowOptions>): Replicas {
  const { hostname, host } = new URL(url);
  const {
    resolve = openResolver(),
    probe = (address) => answersReady(address, READY_WITHIN_MS),
    everyMs = EVERY_MS,
    onGone = () => undefined,
  } = options;
  const next = rotation<Followed>();
  // Until DNS answers, the name itself is the only replica.
  let known: Followed[] = [{ name: host, url, isReady: false, wasReady: false, isGone: false }];
  let ready: Followed[] = [];
  let isFound = true;

  function setReady(replica: Followed, isReady: boolean): void {
    if (replica.isGone || replica.isReady === isReady) return;
    replica.isReady = isReady;
    if (isReady) replica.wasReady = true;
    ready = known.filter((one) => one.isReady);
    logger.info({ host, replica: replica.name, isReady, ready: ready.length }, 'a replica changed');
  }

  function begin(replicaUrl: string): Followed {
    const name = new URL(replicaUrl).host;
    const replica: Followed = { name, url: replicaUrl, isReady: false, wasReady: false, isGone: false };
    const ask = async () => setReady(replica, await probe(replicaUrl));
    replica.probing = repeat(everyMs, ask, logger, `asking ${name}`);
    return replica;
  }

  function end(replica: Followed): void {
    replica.isGone = true;
    void replica.probing?.stop();
    onGone(replica);
  }

  function follow(urls: readonly string[]): void {
    const gone = known.filter((replica) => !urls.includes(replica.url));
    const fresh = urls.filter((one) => known.every((replica) => replica.url !== one));
    if (gone.length === 0 && fresh.length === 0) return;
    known = [...known.filter((replica) => !gone.includes(replica)), ...fresh.map(begin)];
    ready = known.filter((one) => one.isReady);
    gone.forEach(end);
    logger.info({ host, replicas: known.map(({ name }) => name) }, 'replicas changed');
  }

  async function look(): Promise<void> {
    try {
      const addresses = await resolve(hostname);
      if (addresses.length === 0) throw new Error(`${hostname} has no address`);
      if (looking.isOver) return;
      isFound = true;
      follow([...new Set(addresses)].map((address) => at(url, address)));
    } catch (error) {
      // Known replicas probably still exist.
      if (isFound) logger.warn({ host, err: error }, 'a service cannot be found');
      isFound = false;
    }
  }

  const proven = () => known.filter(({ wasReady }) => wasReady);
  const looking = { isOver: false, turns: repeat(everyMs, look, logger, `finding ${host}`) };
  return {
    pick: (tried = []) =>
      next(ready, tried) ??
      next(proven(), tried) ??
      next(known, tried) ??
      next(ready, []) ??
      next(known, [])!,
    unreached: (replica) => setReady(replica as Followed, false),
    areReady: () => Promise.resolve(ready.length > 0),
    close() {
      looking.isOver = true;
      void looking.turns.stop();
      for (const replica of known) void replica.probing?.stop();
    },
  };
}

function at(url: string, address: string): string {
  const moved = new URL(url);
  moved.hostname = isIPv6(address) ? `[${address}]` : address;
  return moved.href;
}

/** Round-robin over the items that are not excluded; undefined when there is none. */
function rotation<Item>(): (items: readonly Item[], except: readonly unknown[]) => Item | undefined {
  let turn = 0;
  return (items, except) => {
    for (let step = 0; step < items.length; step += 1) {
      turn = (turn + 1) % items.length;
      const item = items[turn]!;
      if (!except.includes(item)) return item;
    }
    return undefined;
  };
}

/** Whether /readyz answers 200 in time. Never throws. */
async function answersReady(url: string, withinMs: number): Promise<boolean> {
  try {
    const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(withinMs) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

const DNS_WITHIN_MS = 1_000;

/**
 * Queries the DNS server first, which blocks no thread, then the system resolver (/etc/hosts, search domains).
 * @throws when neither knows the name
 */
function openResolver(): (hostname: string) => Promise<string[]> {
  const resolver = new Resolver({ timeout: DNS_WITHIN_MS, tries: 1 });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  };
}
