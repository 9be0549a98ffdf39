import { bankNameOf, type PaymentMethod } from '@arboleda/contracts/payment-method.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import type { Column } from '../../design/components/DataTable.tsx';
import { Money } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Person } from './cells/Person.tsx';

/** Columns that several lists have. Rows must have the fields that a column names. */
export function useColumns<Row>() {
  const { t } = useTranslation('admin');
  const { t: fromPanels } = useTranslation('panels');
  const formats = useFormats();
  const customer: Column<{ customerName: string; customerEmail: string }> = {
    name: 'customer',
    label: t('columns.customer'),
    cell: ({ customerName, customerEmail }) => <Person name={customerName} email={customerEmail} />,
  };
  const order: Column<{ shortId: string }> = {
    name: 'order',
    label: t('columns.order'),
    cell: ({ shortId }) => <span className="tabular">{shortId}</span>,
  };
  const amount: Column<{ amount: number; currency: string }> = {
    name: 'amount',
    label: t('columns.amount'),
    isNumber: true,
    cell: ({ amount: amountMinor, currency }) => <Money amountMinor={amountMinor} currency={currency} />,
  };
  const method: Column<{ method: PaymentMethod }> = {
    name: 'method',
    label: fromPanels('facts.method'),
    cell: ({ method: by }) => fromPanels(`methods.${by.kind}`, { bank: bankNameOf(by) }),
  };
  const status = (cell: (row: Row) => ReactNode): Column<Row> => ({
    name: 'status',
    label: t('columns.status'),
    cell,
  });
  const date = (cell: (row: Row) => ReactNode): Column<Row> => ({
    name: 'date',
    label: t('columns.date'),
    cell,
  });
  /** @param at ISO instant */
  const day = (at: (row: Row) => string) => date((row) => formats.briefDay(at(row)));
  const actions = (cell: (row: Row) => ReactNode): Column<Row> => ({
    name: 'actions',
    label: t('columns.actions'),
    isAction: true,
    cell,
  });
  /** A button that opens the row. @param label for screen readers, as each row has the same button */
  const open = (text: string, label: (row: Row) => string, onOpen: (row: Row) => void) =>
    actions((row) => (
      <Button size="small" aria-label={label(row)} onClick={() => onOpen(row)}>
        {text}
      </Button>
    ));
  return { customer, order, amount, method, status, date, day, actions, open };
}
