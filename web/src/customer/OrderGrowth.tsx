import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../design/load-chunk.ts';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { BoughtGrowth } from '../order/growth/BoughtGrowth.tsx';
import { PlansSkeleton } from '../order/growth/PlansSkeleton.tsx';
import { mayGrow } from '../order/growth/schedule.ts';
import type { OpenSession } from '../portal/Gate.tsx';
import styles from './OrderStory.module.css';
import { type Arrival, hasComeThrough } from './arrival.ts';
import type { CustomerOrder } from './orders.ts';

/** For those who press the button. */
const GrowthPicker = lazy(async () => ({
  default: (await loadChunk(() => import('../order/growth/GrowthPicker.tsx'))).GrowthPicker,
}));

/** True once `isWaiting` has lasted `afterMs`. */
function useLate(isWaiting: boolean, afterMs: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [isWaiting, afterMs]);
  return late;
}

interface OrderGrowthProps {
  session: OpenSession<'customer'>;
  order: CustomerOrder;
  arrival: Arrival | undefined;
}

/** Growth updates of an order: purchased packages with their visits, and packages for sale. */
export function OrderGrowth({ session, order, arrival }: OrderGrowthProps) {
  const { t } = useTranslation('growth');
  const { t: common } = useTranslation();
  const [open, setOpen] = useState(arrival !== undefined && arrival.why !== 'success');
  const id = useId();
  const isWaiting = arrival?.why === 'success' && !hasComeThrough(arrival, [order]);
  return (
    <>
      <BoughtGrowth order={order} />
      {mayGrow(order) && !isWaiting && (
        <div className={styles.growth}>
          <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
            {open ? t('close') : t('get')}
          </Button>
          <div id={id} hidden={!open}>
            {open && (
              <Suspense fallback={<PlansSkeleton label={common('loading')} />}>
                <GrowthPicker session={session} order={order} />
              </Suspense>
            )}
          </div>
        </div>
      )}
    </>
  );
}

/** Longest usual delay of the provider's webhook, ms. */
const SLOW_AFTER_MS = 60_000;

/** Result of a visit to the payment page; takes the focus, because it is what the buyer came back for. */
export function GrowthOutcome({
  arrival,
  order,
}: {
  arrival: Arrival;
  order: Parameters<typeof hasComeThrough>[1][number];
}): ReactNode {
  const { t } = useTranslation('growth');
  const isWaiting = arrival.why === 'success' && !hasComeThrough(arrival, [order]);
  const late = useLate(isWaiting, SLOW_AFTER_MS);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  const outcome =
    arrival.why === 'cancelled' ? 'cancelled' : !isWaiting ? 'ready' : late ? 'late' : 'waiting';
  return (
    <div ref={box} tabIndex={-1}>
      <Alert kind={outcome === 'ready' ? 'good' : 'note'}>{t(`return.${outcome}`)}</Alert>
    </div>
  );
}
