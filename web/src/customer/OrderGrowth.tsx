import { useMutation } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../app/load-chunk.ts';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { BoughtGrowth } from '../growth/BoughtGrowth.tsx';
import { mayGrow } from '../growth/schedule.ts';
import type { OpenSession } from '../portal/Gate.tsx';
import { useProblemText } from '../session/problem-text.ts';
import styles from './OrderStory.module.css';
import { type Arrival, hasComeThrough } from './arrival.ts';
import type { CustomerOrder } from './orders.ts';

/** For those who press the button. */
const GrowthPlans = lazy(async () => ({
  default: (await loadChunk(() => import('../growth/GrowthPlans.tsx'))).GrowthPlans,
}));

interface GrowthPickerProps {
  session: Pick<OpenSession<'customer'>, 'call'>;
  order: Pick<CustomerOrder, '_id' | 'currency' | 'plantingDate' | 'trees'>;
  /** Navigates to the payment page; replaced in tests. */
  leave?: (address: string) => void;
}

const leaveTo = (address: string) => window.location.assign(address);

/** Photo packages for one order; choosing one opens the provider's payment page. */
export function GrowthPicker({ session, order, leave = leaveTo }: GrowthPickerProps) {
  const { t } = useTranslation('growth');
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const checkout = useMutation({
    mutationFn: (priceId: string) =>
      session.call('POST /api/payments/create-photo-package-checkout', {
        body: { priceId, originalOrderId: order._id },
      }),
    onSuccess: ({ checkoutUrl }) => leave(checkoutUrl),
  });
  const { reset } = checkout;
  // Going back may restore this page from the back/forward cache with its pending state.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && reset();
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, [reset]);
  const isLeaving = checkout.isPending || checkout.isSuccess;
  return (
    <div className={styles.picker}>
      <p className={styles.lead}>{t('lead', { count: order.trees })}</p>
      <Suspense fallback={<Skeleton label={common('loading')} lines={6} />}>
        <GrowthPlans
          currency={order.currency}
          plantingDate={order.plantingDate}
          trees={order.trees}
          action={({ priceId, popular }, name) => (
            <Button
              look={popular ? 'accent' : 'secondary'}
              aria-label={t('chooseOne', { name })}
              disabled={isLeaving && checkout.variables !== priceId}
              working={isLeaving && checkout.variables === priceId && t('going')}
              onClick={() => checkout.mutate(priceId)}
            >
              {t('choose')}
            </Button>
          )}
        />
      </Suspense>
      {checkout.isError && (
        <Alert kind="wrong">
          {problemText(checkout.error, { failed: t('failed'), network: t('failedNetwork') })}
        </Alert>
      )}
    </div>
  );
}

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
            {open && <GrowthPicker session={session} order={order} />}
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
