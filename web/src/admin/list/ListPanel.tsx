import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable, type Selection } from '../../design/components/DataTable.tsx';
import { Panel } from '../shared/Panel.tsx';
import { Filters } from './Filters.tsx';
import { ListState } from './ListState.tsx';
import { Paging } from './Paging.tsx';
import type { Listed } from './use-list.ts';

interface TableProps<Row> {
  list: Listed<Row>;
  /** Names the table for screen readers. */
  caption: string;
  loading: string;
  /** Without filters; absent for a list that is never empty. */
  empty?: { title: string; text: string };
  /** False for a column that is left out. */
  columns: readonly (Column<Row> | false)[];
  keyOf: (row: Row) => string;
  /** A click anywhere on the row. The row also needs a button, for the keyboard. */
  onOpen?: (row: Row) => void;
  selection?: Selection<Row> | undefined;
  /** Between the rows and the paging. */
  below?: ReactNode;
}

interface PanelProps<Row> extends Omit<TableProps<Row>, 'caption'> {
  title: string;
  count?: string | undefined;
  actions?: ReactNode;
  /** Between the title and the filters. */
  before?: ReactNode;
  /** Between the filters and the rows. */
  above?: ReactNode;
  /** Dialogs of the rows. */
  children?: ReactNode;
}

/** A panel that is one list: its title, filters, table and pages. */
export function ListPanel<Row>(props: PanelProps<Row>) {
  const { title, count, actions, before, above, children, ...table } = props;
  return (
    <Panel title={title} count={count} actions={actions}>
      {before}
      <Filters list={table.list} />
      {above}
      <ListTable caption={title} {...table} />
      {children}
    </Panel>
  );
}

/** The table of a list, with its states and pages. */
export function ListTable<Row>(props: TableProps<Row>) {
  const { list, caption, loading, empty, columns, keyOf, onOpen, selection, below } = props;
  return (
    <ListRows list={list} loading={loading} empty={empty}>
      <DataTable
        caption={caption}
        columns={columns}
        rows={list.rows}
        keyOf={keyOf}
        isOld={list.isOld}
        {...(onOpen && { onOpen })}
        {...(selection && { selection })}
      />
      {below}
    </ListRows>
  );
}

interface RowsProps {
  list: Omit<Listed<unknown>, 'filters' | 'narrow'>;
  loading: string;
  empty: { title: string; text: string } | undefined;
  /** In the shape of the rows; of a table by default. */
  skeleton?: ReactNode;
  children: ReactNode;
}

/** The rows of a list in any shape, with its states and pages. */
export function ListRows({ list, loading, empty, skeleton, children }: RowsProps) {
  const { t } = useTranslation('admin');
  const isEmpty = empty !== undefined && list.rows.length === 0;
  return (
    <ListState
      query={list.state}
      loading={loading}
      skeleton={skeleton}
      empty={isEmpty ? { ...empty, ...(list.isNarrowed && { text: t('list.emptyFilter') }) } : undefined}
    >
      {children}
      <Paging rows={list.rows.length} limit={list.pageRows} next={list.next} />
    </ListState>
  );
}
