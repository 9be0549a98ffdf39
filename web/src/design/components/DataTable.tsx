import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Icon } from './Icon.tsx';
import { arrowDown, arrowUp } from './icons.ts';
import styles from './DataTable.module.css';

export interface Column<Row> {
  name: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** Aligns figures at the end of the column. */
  isNumber?: boolean;
  /** Holds row actions; the label is for screen readers only. */
  isAction?: boolean;
  /** Sort orders of the server that presses on the head go through. */
  sorts?: readonly { name: string; direction: 'ascending' | 'descending' }[];
  className?: string | undefined;
}

export interface Sorting {
  sort: string;
  /** Sort order after the last one of a head. */
  byDefault: string;
  onSort: (sort: string) => void;
}

export interface Selection<Row> {
  chosen: ReadonlySet<string>;
  onChoose: (rows: readonly Row[], isChosen: boolean) => void;
  /** Names the row for screen readers. */
  labelOf: (row: Row) => string;
  labelOfAll: string;
}

interface Props<Row> {
  caption: string;
  /** False for a column that is left out. */
  columns: readonly (Column<Row> | false)[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  sorting?: Sorting;
  selection?: Selection<Row>;
  /** A click anywhere on the row. The row also needs a button, for the keyboard. */
  onOpen?: (row: Row) => void;
  /** Another page is loading. */
  isOld?: boolean;
  /** `cards`: the columns' classes place the cells on phones; otherwise each is a labeled line. */
  phone?: 'cards' | 'lines';
}

/**
 * The table of the dashboard: server-side sorting, selection, rows that open. On phones each row is a card. Explicit
 * roles are needed because browsers drop table semantics with other layouts.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { caption, rows, keyOf, sorting, selection, onOpen, isOld = false, phone = 'lines' } = props;
  const columns = props.columns.filter((column) => column !== false);
  const isChosen = (row: Row) => selection?.chosen.has(keyOf(row)) === true;
  const open = (row: Row) => (event: MouseEvent<HTMLTableRowElement>) => {
    if (isPlainClick(event)) onOpen!(row);
  };
  return (
    <table
      role="table"
      className={`${styles.table} ${styles[phone]} ${isOld ? styles.old : ''}`}
      aria-busy={isOld}
    >
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {selection && (
            <th role="columnheader" scope="col" className={styles.choice}>
              <ChooseAll rows={rows} selection={selection} isChosen={isChosen} />
            </th>
          )}
          {columns.map((column) => (
            <Head key={column.name} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr
            role="row"
            key={keyOf(row)}
            className={`${onOpen ? styles.opens : ''} ${isChosen(row) ? styles.chosen : ''}`}
            onClick={onOpen && open(row)}
          >
            {selection && (
              <td role="cell" className={styles.choice}>
                <label className={styles.box}>
                  <input
                    type="checkbox"
                    aria-label={selection.labelOf(row)}
                    checked={isChosen(row)}
                    onChange={(event) => selection.onChoose([row], event.target.checked)}
                  />
                </label>
              </td>
            )}
            {columns.map((column, at) => (
              <Cell key={column.name} column={column} row={row} isFirst={at === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const CONTROLS = 'a, button, input, select, textarea, label, summary, [role=combobox], [role=listbox]';

/** Not on a control of the row or of a menu that it opened, and not the end of selecting text. */
const isPlainClick = ({ target, currentTarget }: MouseEvent<HTMLElement>): boolean =>
  target instanceof Element &&
  currentTarget.contains(target) &&
  target.closest(CONTROLS) === null &&
  window.getSelection()?.isCollapsed !== false;

function ChooseAll<Row>({
  rows,
  selection,
  isChosen,
}: {
  rows: readonly Row[];
  selection: Selection<Row>;
  isChosen: (row: Row) => boolean;
}) {
  const box = useRef<HTMLInputElement>(null);
  const chosen = rows.filter(isChosen).length;
  const isAll = rows.length > 0 && chosen === rows.length;
  useEffect(() => {
    box.current!.indeterminate = chosen > 0 && !isAll;
  }, [chosen, isAll]);
  return (
    <label className={styles.box}>
      <input
        ref={box}
        type="checkbox"
        aria-label={selection.labelOfAll}
        checked={isAll}
        onChange={(event) => selection.onChoose(rows, event.target.checked)}
      />
    </label>
  );
}

const lookOf = <Row,>({ isNumber, isAction, className }: Column<Row>): string =>
  [isAction ? styles.action : isNumber ? styles.number : '', className].filter(Boolean).join(' ');

function Head<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const { label, isAction, sorts = [] } = column;
  const at = sorts.findIndex(({ name }) => name === sorting?.sort);
  const direction = sorts[at]?.direction;
  const isSortable = sorting !== undefined && sorts.length > 0;
  return (
    <th role="columnheader" scope="col" className={lookOf(column)} aria-sort={direction}>
      {isAction ? <span className="visually-hidden">{label}</span> : !isSortable && label}
      {isSortable && (
        <button
          type="button"
          className={styles.sort}

          onClick={() => sorting.onSort(sorts[at + 1]?.name ?? sorting.byDefault)}
        >
          {label}
          <Icon
            of={direction === 'ascending' ? arrowUp : arrowDown}
            size="small"
            className={(direction ? styles.sorted : styles.unsorted)!}
          />
        </button>
      )}
    </th>
  );
}

function Cell<Row>({ column, row, isFirst }: { column: Column<Row>; row: Row; isFirst: boolean }) {
  const { label, cell, isAction } = column;
  if (isFirst)
    return (
      <th role="rowheader" scope="row" className={`${styles.first} ${column.className ?? ''}`}>
        {cell(row)}
      </th>
    );
  return (
    <td role="cell" className={lookOf(column)} data-label={isAction ? undefined : label}>
      {cell(row)}
    </td>
  );
}
