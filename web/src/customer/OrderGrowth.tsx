import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { BoughtGrowth } from '../growth/BoughtGrowth.tsx';
import { mayGrow } from '../growth/schedule.ts';
import type { OpenSession } from '../portal/Gate.tsx';
import { type Arrival, hasComeThrough } from './arrival.ts';
import { GrowthPicker } from './GrowthPicker.tsx';
import type { CustomerOrder } from './orders.ts';
import styles from './OrderStory.module.css';
import { useLate } from './use-late.ts';

interface Props {
  session: OpenSession<'customer'>;
  order: CustomerOrder;
  arrival: Arrival | undefined;
}

/** Growth updates of an order: purchased packages with their visits, and packages for sale. */
export function OrderGrowth({ session, order, arrival }: Props) {
  const { t } = useTranslation('growth');
  const [open, setOpen] = useState(arrival !== undefined && arrival.why !== 'success');
  const id = useId();
  const isWaiting = arrival?.why === 'success' && !hasComeThrough(arrival, [order]);
  return (
    <>
      {arrival && arrival.why !== 'choose' && <Return arrival={arrival} isWaiting={isWaiting} />}
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

/** Result of the visit to the payment page. */
function Return({ arrival, isWaiting }: { arrival: Arrival; isWaiting: boolean }) {
  const { t } = useTranslation('growth');
  const late = useLate(isWaiting, SLOW_AFTER_MS);
  if (arrival.why === 'cancelled') return <Alert kind="note">{t('return.cancelled')}</Alert>;
  if (!isWaiting) return <Alert kind="good">{t('return.ready')}</Alert>;
  return <Alert kind="note">{t(late ? 'return.late' : 'return.waiting')}</Alert>;
}
