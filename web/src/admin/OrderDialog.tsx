import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { Badge } from '../design/components/Badge.tsx';
import { Button } from '../design/components/Button.tsx';
import { Dialog } from '../design/components/Dialog.tsx';
import { type Fact, Facts } from '../design/components/Facts.tsx';
import { Money } from '../design/components/Money.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { type Formats, useFormats } from '../i18n/format.ts';
import type { PortalCall } from '../session/session.ts';
import { History } from './History.tsx';
import styles from './OrderDialog.module.css';
import { type OrderDetails, useOrder } from './orders.ts';

export function OrderDialog({
  call,
  id,
  onClose,
}: {
  call: PortalCall;
  id: string | null;
  onClose: () => void;
}) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const query = useOrder(call, id);
  const order = query.data?.order;
  return (
    <Dialog
      open={id !== null}
      onClose={onClose}
      width="wide"
      title={t('details.title', { id: order?.shortId ?? '' })}
      actions={<Button onClick={onClose}>{common('close')}</Button>}
    >
      {query.isPending && <Skeleton label={t('details.loading')} lines={8} />}
      {query.isError && (
        <Alert
          kind="wrong"
          action={<Button onClick={() => void query.refetch()}>{common('tryAgain')}</Button>}
        >
          {t('details.failed')}
        </Alert>
      )}
      {order && <Details order={order} />}
    </Dialog>
  );
}

function Details({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const sections = sectionsOf(order, formats);
  return (
    <div className={styles.details}>
      <p className={styles.status}>
        <Badge of={order.status}>{common(`status.${order.status}`)}</Badge>
        <Money amountMinor={order.amount} currency={order.currency} size="large" />
      </p>
      {sections.map(({ name, rows }) => (
        <section key={name}>
          <h3 className={styles.heading}>{t(`details.${name}`)}</h3>
          <Facts
            rows={rows.map(({ label, value }) => ({
              label: t(`facts.${label}`),
              value: value ?? t('details.none'),
            }))}
          />
        </section>
      ))}
      {order.photos.length > 0 && (
        <section>
          <h3 className={styles.heading}>{t('details.photos')}</h3>
          <ul className={styles.photos}>
            {order.photos.map((photo, at) => (
              <li key={photo.filename}>
                <a href={`/api/photos/${photo.filename}`} target="_blank" rel="noopener">
                  <img
                    src={`/api/photos/${photo.filename}?w=320`}
                    width="160"
                    height="120"
                    loading="lazy"
                    alt={t('details.photo', {
                      number: at + 1,
                      when: formats.fieldFullDate(photo.takenAt ?? photo.uploadedAt),
                    })}
                    onError={(event) => (event.currentTarget.hidden = true)}
                  />
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3 className={styles.heading}>{t('details.history')}</h3>
        <History entries={order.timeline} />
      </section>
    </div>
  );
}

// prettier-ignore
type FactName =
  | 'trees' | 'name' | 'email' | 'ordered' | 'assigned' | 'planted' | 'completed' | 'worker' | 'workerEmail' | 'region'
  | 'location' | 'latitude' | 'longitude' | 'method' | 'transaction' | 'notes';
interface Section {
  name: 'customer' | 'dates' | 'worker' | 'place' | 'payment' | 'notes';
  rows: { label: FactName; value: Fact['value'] }[];
}

/** What the product spec's order modal shows, section 2. */
function sectionsOf(order: OrderDetails, formats: Formats): Section[] {
  const day = (instant: string | undefined) => instant && formats.day(instant);
  const worker = order.assignedWorker;
  const place = order.coordinates;
  return [
    {
      name: 'customer',
      rows: [
        { label: 'name', value: order.customerName },
        { label: 'email', value: order.customerEmail },
        { label: 'trees', value: formats.number(order.trees) },
      ],
    },
    {
      name: 'dates',
      rows: [
        { label: 'ordered', value: day(order.createdAt) },
        { label: 'assigned', value: day(order.assignedDate) },
        { label: 'planted', value: day(order.plantingDate) },
        { label: 'completed', value: day(order.completionDate) },
      ],
    },
    {
      name: 'worker',
      rows: [
        { label: 'worker', value: worker && `${worker.name} · ${worker.code}` },
        { label: 'workerEmail', value: worker?.email },
        { label: 'region', value: worker?.region },
      ],
    },
    {
      name: 'place',
      rows: [
        { label: 'location', value: order.location },
        { label: 'latitude', value: place?.latitude.toFixed(6) },
        { label: 'longitude', value: place?.longitude.toFixed(6) },
      ],
    },
    {
      name: 'payment',
      rows: [
        {
          label: 'method',
          value: order.card ? `${order.card.brand} ${order.card.last4}` : order.paymentMethod,
        },
        { label: 'transaction', value: order.transactionId },
      ],
    },
    ...(order.notes
      ? [{ name: 'notes' as const, rows: [{ label: 'notes' as const, value: order.notes }] }]
      : []),
  ];
}
