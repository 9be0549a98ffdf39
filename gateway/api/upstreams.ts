import { openReplicas, type Replica, type Replicas } from '@arboleda/chassis/http/replicas.ts';
import type { FollowOptions } from '@arboleda/chassis/http/replicas.ts';
import { counter, type Metrics } from '@arboleda/chassis/http/metrics.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';

/** Outcome of an attempt: an answer, no connection, a connection closed too early, or a timeout. */
export type Outcome = 'answered' | 'unreached' | 'cut' | 'late';
const OUTCOMES: readonly Outcome[] = ['answered', 'unreached', 'cut', 'late'];

/** The services behind the gateway, with their replicas. */
export interface Upstreams {
  of(service: ServiceName): Replicas;
  count(service: ServiceName, replica: Replica, outcome: Outcome): void;
  /** Whether each service has a ready replica. Concurrent calls share one round of probes. */
  areReady(): Promise<boolean>;
  close(): void;
}

export function openUpstreams(
  urls: Record<ServiceName, string>,
  metrics: Metrics,
  logger: Logger,
  follow: Partial<FollowOptions> = {},
): Upstreams {
  const requests = counter(metrics, {
    name: 'gateway_upstream_requests_total',
    help: 'Attempts to have a replica answer a call, by what became of them',
    labels: ['service', 'replica', 'outcome'],
  });
  const services = Object.keys(urls) as ServiceName[];
  const open = (service: ServiceName) => {
    const onGone = ({ name: replica }: Replica) => {
      for (const outcome of OUTCOMES) requests.remove({ service, replica, outcome });
    };
    return openReplicas(urls[service], logger, { ...follow, onGone });
  };
  const replicas = Object.fromEntries(services.map((name) => [name, open(name)])) as Record<
    ServiceName,
    Replicas
  >;
  let asking: Promise<boolean> | undefined;
  const ask = async () =>
    (await Promise.all(services.map((name) => replicas[name].areReady()))).every(Boolean);

  return {
    of: (service) => replicas[service],
    count(service, replica, outcome) {
      // Metrics of removed replicas are dropped, as the set of addresses is unbounded.
      if (!replica.isGone) requests.inc({ service, replica: replica.name, outcome });
    },
    areReady() {
      asking ??= ask().finally(() => (asking = undefined));
      return asking;
    },
    close: () => services.forEach((name) => replicas[name].close()),
  };
}
