import { shortId } from '@arboleda/contracts/order.ts';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Badge } from '../../design/components/Badge.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { Money } from '../../design/components/Money.tsx';
import { PhotoGrid } from '../../design/components/PhotoGrid.tsx';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { History } from './History.tsx';
import styles from './OrderDialog.module.css';
import { sectionsOf } from './order-sections.ts';
import { type OrderDetails, useOrder } from './orders.ts';

interface Props {
  call: PortalCall;
  /** The order to show; null closes the dialog. */
  id: string | null;
  onClose: () => void;
}

export function OrderDialog({ call, id, onClose }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const { data, error, isPending, refetch } = useOrder(call, id);
  const isMissing = isProblem(error, 'not-found') || isProblem(error, 'validation-failed');
  return (
    <Dialog
      open={id !== null}
      onClose={onClose}
      width="wide"
      title={t('details.title', { id: shortId(id ?? '') })}
      actions={<Button onClick={onClose}>{common('close')}</Button>}
    >
      {isPending && <Skeleton label={t('details.loading')} lines={8} />}
      {error && (
        <Alert
          kind="wrong"
          action={!isMissing && <Button onClick={() => void refetch()}>{common('tryAgain')}</Button>}
        >
          {isMissing ? t('details.missing') : t('details.failed')}
        </Alert>
      )}
      {data && <Details order={data.order} />}
    </Dialog>
  );
}

function Details({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const method = order.card
    ? t('details.card', { brand: capitalised(order.card.brand), last4: order.card.last4 })
    : t(`details.methods.${order.paymentMethod}`);
  const sections = sectionsOf(order, {
    formats,
    method,
    unassigned: t('details.unassigned'),
    noPlace: t('details.noPlace'),
  });
  return (
    <div className={styles.details}>
      <div className={styles.status}>
        <Badge of={order.status}>{common(`status.${order.status}`)}</Badge>
        <strong>{common('trees', { count: order.trees })}</strong>
        <Money amountMinor={order.amount} currency={order.currency} size="large" />
      </div>
      {sections.map(({ name, rows }) => (
        <section key={name}>
          <h3 className={styles.heading}>{t(`details.${name}`)}</h3>
          <Facts
            rows={rows.map(({ label, value }) => ({
              label: t(`facts.${label}`),
              value:
                label === 'transaction' ? (
                  <span className="least">{value}</span>
                ) : (
                  (value ?? t('details.none'))
                ),
            }))}
          />
        </section>
      ))}
      {order.notes && (
        <section>
          <h3 className={styles.heading}>{t('details.notes')}</h3>
          <p className={styles.notes}>{order.notes}</p>
        </section>
      )}
      {order.photos.length > 0 && (
        <section className={styles.wide}>
          <h3 className={styles.heading}>{t('details.photos')}</h3>
          <PhotoGrid photos={order.photos} arrangement="even" />
        </section>
      )}
      <section className={styles.wide}>
        <h3 className={styles.heading}>{t('details.history')}</h3>
        <History entries={order.timeline} />
      </section>
    </div>
  );
}

const capitalised = (brand: string): string => brand.charAt(0).toUpperCase() + brand.slice(1);
