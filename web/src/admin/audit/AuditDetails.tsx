import { shortId } from '@arboleda/contracts/order.ts';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Answer } from '../../api/client.ts';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { type Fact, Facts } from '../../design/components/Facts.tsx';
import { useFormats } from '../../i18n/format.ts';
import { type Column, DataTable } from '../../design/components/DataTable.tsx';
import shared from '../shared/shared.module.css';

export type AuditRow = Answer<'GET /api/admin/audit-log'>['rows'][number];

type Value = NonNullable<AuditRow['after']>[string] | undefined;

interface Change {
  field: string;
  before: Value;
  after: Value;
}

const changesOf = ({ before = {}, after = {} }: AuditRow): Change[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].map((field) => ({
    field,
    before: before[field],
    after: after[field],
  }));

/** One row of the audit log: before and after. */
export function AuditDetails({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const { t } = useTranslation('audit');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const fieldName = (name: string) => t(`fields.${name as 'status'}`, { defaultValue: name });
  const changes = changesOf(row);
  const withheld = row.withheld ?? [];
  const isRead = /listed$|exported$/.test(row.action);
  const facts: Fact[] = [
    { label: t('when'), value: <time dateTime={row.at}>{formats.moment(row.at)}</time> },
    { label: t('who'), value: <Who by={row.by} /> },
    ...(row.object ? [{ label: t('about'), value: <About row={row} /> }] : []),
    { label: t('row'), value: `${row.service} ${formats.number(row.seq)}` },
    { label: t('correlationId'), value: <code>{row.correlationId}</code> },
  ];
  const value: Column<Change>[] = isRead
    ? [
        {
          name: 'after',
          label: t('filter'),
          cell: ({ field, after }) => <LoggedValue field={field} value={after} />,
        },
      ]
    : [
        {
          name: 'before',
          label: t('before'),
          cell: ({ field, before }) => <LoggedValue field={field} value={before} />,
        },
        {
          name: 'after',
          label: t('after'),
          cell: ({ field, after }) => <LoggedValue field={field} value={after} />,
        },
      ];
  return (
    <Dialog
      open
      onClose={onClose}
      width="wide"
      title={t(`actions.${row.action}`)}
      actions={<Button onClick={onClose}>{common('close')}</Button>}
    >
      <div className={shared.form}>
        <Facts rows={facts} />
        {changes.length > 0 && (
          <DataTable
            caption={t(`actions.${row.action}`)}
            columns={[{ name: 'field', label: t('field'), cell: ({ field }) => fieldName(field) }, ...value]}
            rows={changes}
            keyOf={({ field }) => field}
          />
        )}
        {withheld.length > 0 && (
          <p>
            {isRead ? t('withheldWords') : t('withheld')} {withheld.map(fieldName).join(', ')}.
          </p>
        )}
        {changes.length === 0 && withheld.length === 0 && <p className="quiet">{t('noFields')}</p>}
      </div>
    </Dialog>
  );
}

function LoggedValue({ field, value }: { field: string; value: Value }) {
  const { t } = useTranslation('audit');
  const { t: common } = useTranslation();
  const roleName = useRoleName();
  const formats = useFormats();
  if (value === null || value === undefined || value === '')
    return <span className="quiet">{t('nothing')}</span>;
  if (typeof value === 'boolean') return <>{value ? t('yes') : t('no')}</>;
  if (typeof value === 'number') return <>{formats.number(value)}</>;
  if (Array.isArray(value)) return <>{value.join(', ')}</>;
  if (field === 'role') return <>{roleName(value)}</>;
  return <>{common(`status.${value as 'pending'}`, { defaultValue: value })}</>;
}

function useRoleName() {
  const { t } = useTranslation('admin');
  return (role: string): string => t(`roles.${role as 'owner'}`, { defaultValue: role });
}

/** Names an admin, an operator or the product. */
export function Who({ by }: { by: AuditRow['by'] }) {
  const { t } = useTranslation('audit');
  const roleName = useRoleName();
  const [name, about] =
    by.kind === 'admin'
      ? [by.name, [by.role && roleName(by.role), by.email]]
      : by.kind === 'operator'
        ? [t('operator'), [t('operatorText')]]
        : [t('system'), [t('systemText')]];
  return (
    <span>
      <strong>{name}</strong>
      <br />
      <span className="quiet">{about.filter(Boolean).join(' · ')}</span>
    </span>
  );
}

/** The object of a row, with a link to its order. */
export function About({ row: { object, orderId } }: { row: AuditRow }) {
  const { t } = useTranslation('audit');
  if (!object) return null;
  const name = t(`objects.${object.type}`, { id: object.type === 'order' ? shortId(object.id) : object.id });
  const order = orderId !== undefined && (
    <Link to={`?view=orders&order=${orderId}`} className="tabular">
      {object.type === 'order' ? name : shortId(orderId)}
    </Link>
  );
  if (object.type === 'order') return <>{order}</>;
  return (
    <span>
      {name} {order}
    </span>
  );
}
