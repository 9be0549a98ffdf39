import { useTranslation } from 'react-i18next';
import { Badge, type Verification } from '../../design/components/Badge.tsx';
import { warning } from '../../design/components/icons.ts';
import { Mark } from '../shared/Mark.tsx';
import type { State, Transfer } from './transfers.ts';

export const BADGE_OF: Record<State, Verification> = {
  pending: 'to-verify',
  approved: 'approved',
  rejected: 'rejected',
};

/** What to look at before a transfer is decided; afterwards the decision. */
export function TransferLook(payment: Transfer['manualPayment']) {
  const { t } = useTranslation('panels');
  const state = payment.verificationStatus;
  if (state === 'pending') return <FlagMarks {...payment} />;
  return <Badge of={BADGE_OF[state]}>{t(`transfers.verification.${state}`)}</Badge>;
}

/** Says that nothing is unusual only when the transfer names one of our references, too. */
function FlagMarks({ flags, firstApproval, referenceOrigin }: Transfer['manualPayment']) {
  const { t } = useTranslation('panels');
  const sorts = [...new Set(flags.map(({ type }) => type))];
  const isHalf = firstApproval !== undefined;
  const hasReference = referenceOrigin === 'ours' || referenceOrigin === 'mistyped';
  if (sorts.length === 0 && !isHalf && hasReference)
    return <span className="quiet">{t('transfers.nothing')}</span>;
  return (
    <span>
      {!hasReference && <Mark tone="pending">{t(`transfers.reference.${referenceOrigin}`)}</Mark>}
      {sorts.map((sort) => (
        <Mark key={sort} icon={warning} tone="brick">
          {t(`transfers.flags.${sort}`)}
        </Mark>
      ))}
      {isHalf && <Mark tone="pending">{t('transfers.half')}</Mark>}
    </span>
  );
}
