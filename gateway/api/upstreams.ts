import { openReplicas, type Replica, type Replicas } from '@arboleda/chassis/http/replicas.ts';
import type { FollowOptions } from '@arboleda/chassis/http/replicas.ts';
import { counter, type Metrics } from '@arboleda/chassis/http/metrics.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';

/** What became of an attempt: an answer, no connection, a connection that ended too early, no answer in time. */
export type Outcome = 'answered' | 'unreached' | 'cut' | 'late';
const OUTCOMES: readonly Outcome[] = ['answered', 'unreached', 'cut', 'late'];

/** The services behind the gateway, each with its replicas. */
export interface Upstreams {
  of(service: ServiceName): Replicas;
  /** Shows operators how calls spread. */
  count(service: ServiceName, replica: Replica, outcome: Outcome): void;
  /** Whether each service has a replica that is ready. Calls at the same time share one round of questions. */
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
      // What is gone is no longer shown: there is no end to the addresses of a service.
      if (!replica.isGone) requests.inc({ service, replica: replica.name, outcome });
    },
    areReady() {
      asking ??= ask().finally(() => (asking = undefined));
      return asking;
    },
    close: () => services.forEach((name) => replicas[name].close()),
  };
}
