import { bankNameOf } from '@arboleda/contracts/payment-method.ts';
import type { OrderStatus } from '@arboleda/contracts/order.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Alert } from '../../design/components/Alert.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { Money } from '../../design/components/Money.tsx';
import { PhotoGrid } from '../../design/components/PhotoGrid.tsx';
import { Tabs } from '../../design/components/Tabs.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { May, useMay } from '../permissions.tsx';
import { AssignmentSection, useAssignment } from './AssignmentSection.tsx';
import { CertificateSection } from './CertificateSection.tsx';
import { GiftSection } from './GiftSection.tsx';
import { GrowthSection } from './GrowthSection.tsx';
import { History } from './History.tsx';
import { InternalNotes } from './InternalNotes.tsx';
import { MailsSection } from './MailsSection.tsx';
import styles from './OrderDialog.module.css';
import { type FactName, sectionsOf } from './order-sections.ts';
import type { OrderDetails } from './orders.ts';
import { PaymentSection } from './PaymentSection.tsx';
import { Section } from './Section.tsx';
import { UnshowablePhotos } from './UnshowablePhotos.tsx';
import { ReturnNotice } from './ReturnNotice.tsx';
import { WithdrawalNotice } from './WithdrawalNotice.tsx';
import { type StatusChange, statusChangeOf, StatusConfirm, StatusSelect } from './StatusChange.tsx';

interface Props {
  call: PortalCall;
  order: OrderDetails;
}

const TABS = ['order', 'history', 'mails'] as const;

/** Status, trees and amount, and below them the order, what happened to it, and its emails. */
export function OrderView({ call, order }: Props) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const may = useMay();
  const [tab, setTab] = useState<(typeof TABS)[number]>('order');
  const [request, setRequest] = useState<StatusChange>();
  return (
    <>
      <div className={styles.status}>
        <div className={styles.change}>
          <span className="quiet">{t(may('orders:write') ? 'status.change' : 'columns.status')}</span>
          <StatusSelect
            label={t('status.change')}
            status={order.status}
            onChoose={
              may('orders:write') ? (to: OrderStatus) => setRequest(statusChangeOf(order, to)) : undefined
            }
          />
        </div>
        <p>
          <span className="quiet">{t('columns.trees')}</span>{' '}
          <strong className="tabular">{formats.number(order.trees)}</strong>
        </p>
        <p>
          <span className="quiet">{t('details.total')}</span>{' '}
          <Money amountMinor={order.amount} currency={order.currency} size="large" />
        </p>
      </div>
      {request && (
        <StatusConfirm
          call={call}
          request={request}
          now={order.status}
          onClose={() => setRequest(undefined)}
          onDone={() => undefined}
        />
      )}
      <WithdrawalNotice call={call} order={order} />
      <ReturnNotice order={order} />
      <Notices order={order} />
      <Tabs
        label={t('details.tabs')}
        tabs={TABS.map((name) => ({
          name,
          label: t(`details.tab.${name}`),
          ...(name === 'history' && { count: formats.number(order.timeline.length) }),
        }))}
        chosen={tab}
        onChoose={setTab}
      >
        {tab === 'order' && <Details call={call} order={order} />}
        {tab === 'history' && (
          <>
            <History entries={order.timeline.toReversed()} currency={order.currency} />
            <May permission="audit-log:read">
              <p>
                <Link to={`?view=audit&object=${order._id}`}>{t('details.auditLog')}</Link>
              </p>
            </May>
          </>
        )}
        {tab === 'mails' && <MailsSection call={call} id={order._id} />}
      </Tabs>
    </>
  );
}

/** The facts of the product spec's modal, followed by the sections admins need besides them. */
function Details({ call, order }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const assignment = useAssignment(call, order._id);
  const { customer, dates, place, worker, payment } = sectionsOf(order, {
    formats,
    method: order.card
      ? t('details.card', { brand: capitalised(order.card.brand), last4: order.card.last4 })
      : t(`details.methods.${order.method.kind}`, { bank: bankNameOf(order.method) }),
    language: common(`language.${order.language}`),
    unassigned: t('details.unassigned'),
    noPlace: t('details.noPlace'),
  });
  const facts = (rows: readonly { label: FactName; value?: string | undefined }[]) => (
    <Facts
      rows={rows.map(({ label, value }) => ({
        label: t(`facts.${label}`),
        value:
          label === 'transaction' ? <span className="least">{value}</span> : (value ?? t('details.none')),
      }))}
    />
  );
  return (
    <div className={styles.details}>
      <Section title={t('details.customer')}>{facts(customer)}</Section>
      <Section title={t('details.dates')}>{facts(dates)}</Section>
      <AssignmentSection call={call} order={order} assignment={assignment}>
        {facts(worker)}
      </AssignmentSection>
      <Section title={t('details.place')}>{facts(place)}</Section>
      <GiftSection order={order} />
      {order.notes && (
        <Section title={t('details.notes')} wide>
          <p className={styles.notes}>{order.notes}</p>
        </Section>
      )}
      {order.photos.length > 0 && (
        <Section title={t('details.photos')} wide>
          <div className={styles.photos}>
            <PhotoGrid photos={order.photos} arrangement="even" />
          </div>
        </Section>
      )}
      <UnshowablePhotos call={call} id={order._id} />
      <PaymentSection call={call} order={order}>
        {facts(payment)}
      </PaymentSection>
      <GrowthSection order={order} assignment={assignment} />
      <CertificateSection call={call} order={order} />
      <InternalNotes call={call} order={order} />
    </div>
  );
}

function Notices({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const { t: common } = useTranslation();
  const isPlanted = order.status === 'planted' || order.status === 'completed';
  const reports = isPlanted ? [] : order.timeline.filter(({ type }) => type === 'reported');
  const disputes = [order, ...order.growthPurchases].flatMap((paid) => paid.disputes);
  return (
    <>
      {order.withdrawn && (
        <Alert kind="wrong">{t(order.lostAmount ? 'details.withdrawnByBank' : 'details.withdrawn')}</Alert>
      )}
      {reports.map(({ at, by, to }) => (
        <Alert key={at} kind="wrong">
          {t('details.reported', { worker: by.name, status: to && common(`status.${to}`) })}
        </Alert>
      ))}
      {disputes
        .filter(({ status }) => !isHarmless(status))
        .map((dispute) => (
          <Alert key={dispute.disputeId} kind="wrong">
            {t(dispute.status === 'lost' ? 'details.disputeLost' : 'details.disputed', {
              amount: formats.money(dispute.amount, dispute.currency),
              status: dispute.status.replaceAll('_', ' '),
            })}
          </Alert>
        ))}
    </>
  );
}

/** Disputes the organization won, and closed inquiries. */
const isHarmless = (status: string): boolean => ['won', 'prevented', 'warning_closed'].includes(status);

const capitalised = (brand: string): string => brand.charAt(0).toUpperCase() + brand.slice(1);
