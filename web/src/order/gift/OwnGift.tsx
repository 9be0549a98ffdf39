import { isPlanted } from '@arboleda/contracts/order.ts';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CertificateInOrder } from '../certificate/CertificateInOrder.tsx';
import { loadChunk } from '../../design/load-chunk.ts';
import { Button } from '../../design/components/Button.tsx';
import { PlansSkeleton } from '../growth/PlansSkeleton.tsx';
import { isOver } from '../growth/schedule.ts';
import type { OpenSession } from '../../portal/Gate.tsx';
import type { ReceivedGift } from './gifts.ts';
import styles from './gifts.module.css';

/** For those who press the button. */
const GrowthPicker = lazy(async () => ({
  default: (await loadChunk(() => import('../growth/GrowthPicker.tsx'))).GrowthPicker,
}));

interface Props {
  session: OpenSession<'customer'>;
  /** Has the order's id, which only the account with the gift gets. */
  gift: ReceivedGift & { _id: string };
}

/** The owner of a gift can get its certificate and have the trees photographed as they grow. */
export function OwnGift({ session, gift }: Props) {
  const { t } = useTranslation(['growth', 'certificate']);
  const { t: common } = useTranslation();
  const [open, setOpen] = useState(false);
  const id = useId();
  const {
    _id,
    token,
    status,
    trees,
    withdrawn,
    certificate,
    recipientName,
    plantingDate,
    growth = [],
  } = gift;
  const mayGrow = !withdrawn && !gift.refunded && growth.every(isOver);
  return (
    <div className={styles.ownGift}>
      {isPlanted(status) && (
        <>
          <h3 className="sub-title">{t('certificate:own.title')}</h3>
          <CertificateInOrder
            order={{ _id, token, status, trees, withdrawn, certificate, customerName: recipientName }}
          />
        </>
      )}
      {mayGrow && (
        <>
          <h3 className="sub-title">{t('growth:title', { count: trees })}</h3>
          <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
            {open ? t('growth:close') : t('growth:get')}
          </Button>
          <div id={id} hidden={!open}>
            {open && (
              // Packages are sold in dollars, and the recipient never sees the price of the trees.
              <Suspense fallback={<PlansSkeleton label={common('loading')} />}>
                <GrowthPicker session={session} order={{ _id, trees, plantingDate, currency: 'USD' }} />
              </Suspense>
            )}
          </div>
        </>
      )}
    </div>
  );
}
