import { type Column, DataTable } from '../../design/components/DataTable.tsx';
import { Badge } from '../../design/components/Badge.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Money } from '../../design/components/Money.tsx';
import styles from './DesignPage.module.css';
import type { SAMPLES } from './samples.ts';
import { Section } from './Section.tsx';

type Say = (typeof SAMPLES)['en'];

const ROWS = [
  { id: '7F3A9C', by: 'Marleny Ospina', status: 'planted', amountMinor: 8_230_000, currency: 'COP' },
  { id: 'C41D08', by: 'Mateo Ríos', status: 'assigned', amountMinor: 2_000, currency: 'USD' },
  { id: '06BBE0', by: 'Rosa Elena Chocué', status: 'completed', amountMinor: 7_000, currency: 'USD' },
] as const;

/** Table of the admin dashboard: cards on phones. */
export function Tables({ say }: { say: Say }) {
  const words = { planted: say.planted, assigned: say.assigned, completed: say.done };
  const columns: Column<(typeof ROWS)[number]>[] = [
    { name: 'order', label: say.order, cell: ({ id }) => <span className="tabular">{id}</span> },
    { name: 'by', label: say.by, cell: ({ by }) => by },
    { name: 'status', label: say.status, cell: ({ status }) => <Badge of={status}>{words[status]}</Badge> },
    {
      name: 'amount',
      label: say.amount,
      isNumber: true,
      cell: ({ amountMinor, currency }) => <Money amountMinor={amountMinor} currency={currency} />,
    },
    {
      name: 'action',
      label: say.change,
      isAction: true,
      cell: () => <Button size="small">{say.change}</Button>,
    },
  ];
  return (
    <Section title={say.table}>
      <div className={styles.stack}>
        <DataTable caption={say.table} columns={columns} rows={ROWS} keyOf={({ id }) => id} />
      </div>
    </Section>
  );
}
