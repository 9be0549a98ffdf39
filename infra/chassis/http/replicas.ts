import { lookup, Resolver } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import type { Logger } from '../log.ts';
import { repeat, type Repeated } from '../repeat.ts';

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
const FIXED_READY_WITHIN_MS = 2_000;

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
    areReady: () => answersReady(url, FIXED_READY_WITHIN_MS),
    close: () => undefined,
  };
}

export interface FollowOptions {
  /** All addresses of a name. @throws when they cannot be had: those that are known stay. */
  resolve(hostname: string): Promise<string[]>;
  /** Whether the replica at a URL says that it is ready. Never throws. */
  probe(url: string): Promise<boolean>;
  /** The pause between two questions, to DNS and to each replica. */
  everyMs: number;
  onGone(replica: Replica): void;
}

const EVERY_MS = 1_000;
const READY_WITHIN_MS = 1_000;

interface Followed extends Replica {
  isReady: boolean;
  /** One that never was may still be starting. */
  wasReady: boolean;
  isGone: boolean;
  probing?: Repeated;
}

/** Follows the addresses of a name and the readiness of each. */
function followReplicas(url: string, logger: Logger, options: Partial<FollowOptions>): Replicas {
  const { hostname, host } = new URL(url);
  const {
    resolve = openResolver(),
    probe = (address) => answersReady(address, READY_WITHIN_MS),
    everyMs = EVERY_MS,
    onGone = () => undefined,
  } = options;
  const next = rotation<Followed>();
  // Until DNS has answered there is the name itself.
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
      // Whoever was there probably still is.
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

/** Gives turns round-robin: the next one of a list that is not left out; undefined when there is none. */
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
 * Asks for all addresses of a name: the DNS server first, which blocks no thread; then, when it knows nothing, the way
 * the machine finds names (/etc/hosts, search domains).
 * @throws when neither knows any.
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
