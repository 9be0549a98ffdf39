import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../design/components/Badge.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PanelProps } from '../panel.ts';
import { TransferComparison } from './TransferComparison.tsx';
import { CustomerFacts } from './CustomerFacts.tsx';
import { Decision } from './Decision.tsx';
import { Evidence } from './Evidence.tsx';
import { Flags } from './Flags.tsx';
import { Outcome } from './Outcome.tsx';
import { Reason } from './Reason.tsx';
import styles from './Review.module.css';
import { AmountComparison } from './AmountComparison.tsx';
import type { Transfer } from './transfers.ts';
import { BADGE_OF } from './TransferTable.tsx';
import { useDecision } from './use-decision.ts';

interface Props extends PanelProps {
  transfer: Transfer;
  /** Opens the next waiting transfer; undefined when there is none. */
  onNext: (() => void) | undefined;
  onClose: () => void;
}

export function Review({ session, transfer, onNext, onClose }: Props) {
  const { t } = useTranslation('desk');
  const formats = useFormats();
  const decision = useDecision(session.call, transfer);
  const [received, setReceived] = useState('');
  const [reason, setReason] = useState('');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const [comparedTo, setComparedTo] = useState<string>();
  const reasonBox = useRef<HTMLDivElement>(null);
  const { verificationStatus: state } = transfer.manualPayment;
  const isOpen = state === 'pending';
  return (
    <>
      <p className={styles.what}>
        <span className="quiet">
          {t('review.what', {
            id: transfer.shortId,
            day: formats.day(transfer.createdAt),
            time: formats.time(transfer.createdAt),
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
