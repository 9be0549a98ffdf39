import { bankNameOf } from '@arboleda/contracts/payment-method.ts';
import { useTranslation } from 'react-i18next';
import { Badge, type Verification } from '../../design/components/Badge.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { warning } from '../../design/components/icons.ts';
import { Money } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';
import { type Column, DataTable } from '../../design/components/DataTable.tsx';
import { useAge } from '../shared/duration.ts';
import shared from '../shared/shared.module.css';
import type { State, Transfer } from './transfers.ts';

export const BADGE_OF: Record<State, Verification> = {
  pending: 'to-verify',
  approved: 'approved',
  rejected: 'rejected',
};

interface Props {
  transfers: readonly Transfer[];
  state: State;
  onReview: (id: string) => void;
}

export function TransferTable({ transfers, state, onReview }: Props) {
  const { t } = useTranslation('panels');
  const { t: admin } = useTranslation('admin');
  const formats = useFormats();
  const age = useAge();
  const isPending = state === 'pending';
  const columns: Column<Transfer>[] = [
    {
      name: 'customer',
      label: admin('columns.customer'),
      cell: ({ customerName, customerEmail }) => (
        <span>
          <strong>{customerName}</strong>
          <br />
          <span className="quiet">{customerEmail}</span>
        </span>
      ),
    },
    {
      name: 'order',
      label: admin('columns.order'),
      cell: ({ shortId }) => <span className="tabular">{shortId}</span>,
    },
    {
      name: 'method',
      label: t('transfers.method'),
      cell: ({ method }) => t(`methods.${method.kind}`, { bank: bankNameOf(method) }),
    },
    {
      name: 'amount',
      label: admin('columns.amount'),
      isNumber: true,
      cell: ({ amount, currency }) => <Money amountMinor={amount} currency={currency} />,
    },
    {
      name: 'date',
      label: admin('columns.date'),
      cell: ({ createdAt }) => (
        <span>
          {formats.day(createdAt)}
          {isPending && (
            <>
              <br />
              <span className="quiet">{t('transfers.waits', { age: age(createdAt) })}</span>
            </>
          )}
        </span>
      ),
    },
    {
      name: 'flags',
      label: t('transfers.look'),
      cell: ({ manualPayment }) =>
        isPending ? (
          <TransferFlagMarks {...manualPayment} />
        ) : (
          <Badge of={BADGE_OF[state]}>{t(`transfers.verification.${state}`)}</Badge>
        ),
    },
    {
      name: 'action',
      label: admin('columns.actions'),
      isAction: true,
      cell: ({ _id, customerName }) => (
        <Button
          size="small"
          aria-label={t('transfers.reviewOne', { name: customerName })}
          onClick={() => onReview(_id)}
        >
          {t('transfers.review')}
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      caption={t('transfers.title')}
      columns={columns}
      rows={transfers}
      keyOf={({ _id }) => _id}
      onOpen={({ _id }) => onReview(_id)}
    />
  );
}

/** Says that nothing is unusual only when the transfer names one of our references, too. */
function TransferFlagMarks({ flags, firstApproval, referenceOrigin }: Transfer['manualPayment']) {
  const { t } = useTranslation('panels');
  const sorts = [...new Set(flags.map(({ type }) => type))];
  const isHalf = firstApproval !== undefined;
  const hasReference = referenceOrigin === 'ours' || referenceOrigin === 'mistyped';
  if (sorts.length === 0 && !isHalf && hasReference)
    return <span className="quiet">{t('transfers.nothing')}</span>;
  return (
    <span>
      {!hasReference && (
        <span className={`${shared.mark} ${shared.pending}`}>
          {t(`transfers.reference.${referenceOrigin}`)}
        </span>
      )}
      {sorts.map((sort) => (
        <span key={sort} className={`${shared.mark} ${shared.brick}`}>
          <Icon of={warning} size="small" />
          {t(`transfers.flags.${sort}`)}
        </span>
      ))}
      {isHalf && <span className={`${shared.mark} ${shared.pending}`}>{t('transfers.half')}</span>}
    </span>
  );
}
