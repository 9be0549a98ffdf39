import type { ReactNode } from 'react';
import styles from './DataTable.module.css';

export interface Column<Row> {
  name: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** Aligns figures at the end of the column. */
  isNumber?: boolean;
  /** Holds row actions; the label is for screen readers only. */
  isAction?: boolean;
}

interface Props<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A table on desktops; on phones each row is a card with labeled values. */
export function DataTable<Row>({ caption, columns, rows, keyOf }: Props<Row>) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name, label, isNumber, isAction }) => (
            <th key={name} scope="col" className={isNumber ? styles.number : undefined}>
              {isAction ? <span className="visually-hidden">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column, at) => (
              <Cell key={column.name} column={column} row={row} isFirst={at === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({ column, row, isFirst }: { column: Column<Row>; row: Row; isFirst: boolean }) {
  const { label, cell, isNumber, isAction } = column;
  if (isFirst)
    return (
      <th scope="row" className={styles.first}>
        {cell(row)}
      </th>
    );
  const look = isAction ? styles.action : isNumber ? styles.number : undefined;
  return (
    <td className={look} data-label={isAction ? undefined : label}>
      {cell(row)}
    </td>
  );
}
