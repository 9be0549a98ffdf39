import { isIPv6 } from 'node:net';
import type { Logger } from '../log.ts';
import { repeat, type Repeated } from '../repeat.ts';
import type { Replica, Replicas } from './replicas.ts';
import { answersReady, openResolver } from './replicas-io.ts';
import { rotation } from './rotation.ts';

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
export function followReplicas(url: string, logger: Logger, options: Partial<FollowOptions>): Replicas {
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
