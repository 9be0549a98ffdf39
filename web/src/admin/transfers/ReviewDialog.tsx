import { bankNameOf } from '@arboleda/contracts/payment-method.ts';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Badge } from '../../design/components/Badge.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { arrowLeft, arrowRight } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { localeOf } from '../../i18n/languages.ts';
import { useListPage } from '../list/use-list.ts';
import type { PanelProps } from '../panel.ts';
import shared from '../shared/shared.module.css';
import { FactsSkeleton } from '../shared/Skeletons.tsx';
import { AmountComparison } from './AmountComparison.tsx';
import { Decision, Outcome } from './Decision.tsx';
import { Evidence } from './Evidence.tsx';
import { Flags } from './Flags.tsx';
import { Reason } from './Reason.tsx';
import styles from './Review.module.css';
import { TransferComparison } from './TransferComparison.tsx';
import { BADGE_OF } from './TransferLook.tsx';
import { LIST, neighboursOf, REFRESH_MS, type Transfer, useDecision, useTransfer } from './transfers.ts';
import { useMay } from '../permissions.tsx';

/** Customer and payment details: product spec section 2. */
function CustomerFacts({ transfer }: { transfer: Transfer }) {
  const { t, i18n } = useTranslation('panels');
  const formats = useFormats();
  const { customerName, customerEmail, customerPhone, customerCountry, manualPayment } = transfer;
  const notGiven = t('review.notGiven');
  return (
    <>
      <Section
        title={t('review.customer')}
        rows={[
          [t('facts.name'), customerName],
          [
            t('facts.email'),
            <a key="email" href={`mailto:${customerEmail}`}>
              {customerEmail}
            </a>,
          ],
          [t('facts.phone'), customerPhone ?? notGiven],
          [t('facts.country'), customerCountry ? countryName(customerCountry, i18n.language) : notGiven],
        ]}
      />
      <Section
        title={t('review.payment')}
        rows={[
          [t('facts.method'), t(`methods.${transfer.method.kind}`, { bank: bankNameOf(transfer.method) })],
          [t('facts.amount'), formats.money(transfer.amount, transfer.currency)],
          [
            t('facts.trees'),
            t('review.treesOf', {
              trees: formats.number(transfer.trees),
              package: t(`packages.${transfer.packageType}`),
            }),
          ],
          [t('facts.date'), formats.moment(transfer.createdAt)],
          [t('facts.reference'), manualPayment.referenceNumber ?? notGiven],
          [t('facts.verification'), t(`transfers.verification.${manualPayment.verificationStatus}`)],
        ]}
      />
    </>
  );
}

function Section({ title, rows }: { title: string; rows: [label: string, value: ReactNode][] }) {
  return (
    <section className={styles.section}>
      <h3 className={shared.heading}>{title}</h3>
      <dl className={styles.person}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function countryName(code: string, language: string): string {
  try {
    return new Intl.DisplayNames(localeOf(language), { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}

interface ReviewProps extends PanelProps {
  transfer: Transfer;
  /** Opens the next waiting transfer; undefined when there is none. */
  onNext: (() => void) | undefined;
  onClose: () => void;
}

function Review({ session, transfer, onNext, onClose }: ReviewProps) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const decision = useDecision(session.call, transfer);
  const [received, setReceived] = useState('');
  const [reason, setReason] = useState('');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const [comparedTo, setComparedTo] = useState<string>();
  const reasonBox = useRef<HTMLDivElement>(null);
  const { verificationStatus: state } = transfer.manualPayment;
  const may = useMay();
  const isOpen = state === 'pending' && may('transfers:decide');
  return (
    <>
      <p className={styles.what}>
        <span className="quiet">
          {t('review.what', {
            id: transfer.shortId,
            moment: formats.moment(transfer.createdAt),
          })}
        </span>
        <Badge of={BADGE_OF[state]}>{t(`transfers.verification.${state}`)}</Badge>
      </p>
      <Outcome me={session.person.id} transfer={transfer} decision={decision} />
      <Flags transfer={transfer} comparedTo={comparedTo} onCompare={setComparedTo} />
      {comparedTo && (
        <TransferComparison
          call={session.call}
          transfer={transfer}
          other={comparedTo}
          onClose={() => setComparedTo(undefined)}
        />
      )}
      <div className={styles.sides}>
        {!comparedTo && <Evidence call={session.call} transfer={transfer} />}
        <div className={styles.facts}>
          <AmountComparison transfer={transfer} received={received} onReceived={setReceived} />
          <CustomerFacts transfer={transfer} />
          {isOpen && (
            <div ref={reasonBox}>
              <Reason
                call={session.call}
                transfer={transfer}
                value={reason}
                isMissing={isReasonMissing && reason.trim() === ''}
                onChange={setReason}
              />
            </div>
          )}
        </div>
      </div>
      <Decision
        transfer={transfer}
        received={received}
        reason={reason}
        decision={decision}
        onReasonMissing={() => {
          setReasonMissing(true);
          reasonBox.current?.querySelector('textarea')?.focus();
        }}
        onNext={onNext}
        onClose={onClose}
      />
    </>
  );
}

interface ReviewDialogProps extends PanelProps {
  /** Order of the transfer; null closes the dialog. */
  id: string | null;
  onOpen: (id: string) => void;
  onClose: () => void;
}

export function ReviewDialog({ session, id, onOpen, onClose }: ReviewDialogProps) {
  const { t } = useTranslation('panels');
  const { t: common } = useTranslation();
  const { data: transfer, isPending, isError, refetch } = useTransfer(session.call, id);
  const waiting = useListPage(session.call, LIST, {
    area: 'transfers',
    query: { status: 'pending' },
    refreshMs: REFRESH_MS,
  }).data?.answer;
  const { place, before, after, next } = neighboursOf(waiting?.orders ?? [], id);
  return (
    <Dialog
      open={id !== null}
      onClose={onClose}
      width="widest"
      title={t('review.title')}
      tools={
        place !== undefined &&
        waiting && (
          <>
            <span className="small quiet tabular">{t('review.place', { place, total: waiting.total })}</span>
            <Button
              size="small"
              icon={arrowLeft}
              aria-label={t('review.before')}
              disabled={!before}
              onClick={() => before && onOpen(before)}
            />
            <Button
              size="small"
              icon={arrowRight}
              aria-label={t('review.after')}
              disabled={!after}
              onClick={() => after && onOpen(after)}
            />
          </>
        )
      }
    >
      {isPending && id !== null && <FactsSkeleton label={t('review.loading')} />}
      {isError && !transfer && (
        <Alert kind="wrong" action={<Button onClick={() => void refetch()}>{common('tryAgain')}</Button>}>
          {t('review.failed')}
        </Alert>
      )}
      {transfer === null && <Alert kind="note">{t('review.missing')}</Alert>}
      {transfer && (
        <Review
          key={transfer._id}
          session={session}
          transfer={transfer}
          onNext={next === undefined ? undefined : () => onOpen(next)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
