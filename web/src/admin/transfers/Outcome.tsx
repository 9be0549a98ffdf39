import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { Transfer } from './transfers.ts';
import { isRace, type useDecision } from './use-decision.ts';

interface Props {
  /** Id of the current admin. */
  me: string;
  transfer: Transfer;
  decision: ReturnType<typeof useDecision>;
}

/** Decision on a transfer, its author, and whether it was made just now in this window. */
export function Outcome({ me, transfer, decision }: Props) {
  const { t } = useTranslation('desk');
  const formats = useFormats();
  const {
    verificationStatus: state,
    approval,
    firstApproval,
    rejection,
    needsSecondAdmin,
  } = transfer.manualPayment;
  const when = (at: string) => ({ day: formats.day(at), time: formats.time(at) });
  const nameOf = (by: { id?: string | undefined; name?: string | undefined }) =>
    by.id === me ? t('outcome.you') : (by.name ?? t('outcome.somebody'));
  const amountOf = (one: typeof approval) =>
    one?.amountReceived === undefined
      ? ''
      : t('outcome.found', { amount: formats.money(one.amountReceived, transfer.currency) });
  const race = isRace(decision.error) && <p>{t('outcome.race')}</p>;
  if (state === 'approved')
    return (
      <Alert kind="good">
        {decision.data?.order.manualPayment.verificationStatus === 'approved' && (
          <p>
            <strong>{t('outcome.verified')}</strong>
          </p>
        )}
        {race}
        {approval && (
          <p>
            {t('outcome.approvedBy', { name: nameOf(approval.by), ...when(approval.at) })}{' '}
            {amountOf(approval)} {approval.note}
          </p>
        )}
      </Alert>
    );
  if (state === 'rejected')
    return (
      <Alert kind="note">
        {decision.variables?.kind === 'reject' && decision.isSuccess && (
          <p>
            <strong>{t('outcome.rejected')}</strong>
          </p>
        )}
        {race}
        {rejection && (
          <p>
            {t('outcome.rejectedBy', { name: nameOf(rejection.by), ...when(rejection.at) })}{' '}
            {rejection.reason}
          </p>
        )}
      </Alert>
    );
  if (firstApproval)
    return (
      <Alert kind="note">
        {race}
        <p>
          {t('outcome.firstBy', { name: nameOf(firstApproval.by), ...when(firstApproval.at) })}{' '}
          {amountOf(firstApproval)} {firstApproval.note}
        </p>
        <p>{firstApproval.by.id === me ? t('outcome.needsOther') : t('outcome.needsYou')}</p>
      </Alert>
    );
  if (needsSecondAdmin) return <Alert kind="note">{t('outcome.needsTwo')}</Alert>;
  return null;
}
