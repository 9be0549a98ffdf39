import { openAdmission, overloaded, type Overload } from '@arboleda/chassis/http/admission.ts';
import { askedNumber } from '@arboleda/chassis/http/gauge.ts';
import { openLoopWatch } from '@arboleda/chassis/http/loop-watch.ts';
import { counter, type Metrics } from '@arboleda/chassis/http/metrics.ts';
import { type Exchange, hasBody } from '../exchange.ts';
import type { Route } from '../api/routes.ts';

/** Turns calls away while more wait for an answer than can be given in time: see docs/decisions/0017. */
export interface Shedder {
  /** Takes a call; the function it gives says that its answer has begun. @throws Problem `overloaded` */
  admit(exchange: Exchange, route: Route): () => void;
  close(): void;
}

export function openShedder(maxCalls: number, metrics: Metrics): Shedder {
  const loop = openLoopWatch();
  const admission = openAdmission(maxCalls, loop);
  const shed = counter(metrics, {
    name: 'gateway_shed_total',
    help: 'Calls that were turned away because too many waited for an answer',
    labels: ['service', 'reason'],
  });
  askedNumber(
    metrics,
    { name: 'gateway_calls_in_flight', help: 'Calls that wait for an answer of their service' },
    async () => admission.calls(),
  );
  return {
    admit(exchange, route) {
      if (route.isStream || route.isNeverShed) return uncounted;
      const reason = admission.overload(route.service);
      if (reason) {
        shed.inc({ service: route.service, reason: REASONS[reason] });
        throw overloaded(Math.random());
      }
      // A photo from the field is on its way for minutes, and nobody works on it until it is here.
      return route.isUpload ? uncounted : count(exchange, () => admission.begin(route.service));
    },
    close: () => loop.close(),
  };
}

const REASONS: Record<Overload, string> = { calls: 'calls', part: 'calls of one service', loop: 'loop' };

const uncounted = (): void => undefined;

/**
 * Counts a call while others work on it: from the end of its body to the beginning of its answer. Who sends or reads slowly
 * takes nobody's place.
 */
function count({ request, arrivals, endings }: Exchange, begin: () => () => void): () => void {
  let isOver = false;
  let end = uncounted;
  const start = () => {
    if (!isOver) end = begin();
  };
  const finish = () => {
    isOver = true;
    end();
  };
  if (hasBody(request) && !request.complete) arrivals.push(start);
  else start();
  endings.push(finish);
  return finish;
}
