import { type Repeated, repeat } from '@arboleda/chassis/repeat.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { OrderStore } from '../store.ts';

const AT_ONCE = 100;
/** While versions change, a former one may still keep some; looking for them reads all orders. */
const LOOK_EVERY_MS = 60 * 60_000;

/**
 * Makes orders that a former version kept as this one keeps them, so that they are found by words. They are read and
 * listed all the same meanwhile. Beside the service's work, a page at a time; several processes may do it together.
 */
export function settleOld(store: Pick<OrderStore, 'unsettled' | 'settle'>, logger: Logger): Repeated {
  let stopped = false;
  const settling = repeat(
    LOOK_EVERY_MS,
    async () => {
      for (;;) {
        const ids = await store.unsettled(AT_ONCE);
        for (const id of ids) {
          if (stopped) return;
          await store.settle(id);
        }
        if (ids.length === 0) return;
      }
    },
    logger,
    'settling orders of a former version',
  );
  return {
    stop() {
      stopped = true;
      return settling.stop();
    },
  };
}
