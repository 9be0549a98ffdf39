import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useColumns } from '../list/columns.tsx';
import { ListPanel } from '../list/ListPanel.tsx';
import { useSearch } from '../list/use-address.ts';
import { useList } from '../list/use-list.ts';
import type { PanelProps } from '../panel.ts';
import { About, AuditDetails, type AuditRow, Who } from './AuditDetails.tsx';
import { AuditExport } from './AuditExport.tsx';

const LONGEST_ID = 64;

/** Ids are typed with blanks or a hash sign around them, too. */
const idOf = (typed: string): string => typed.replace(/[^\w-]/g, '').slice(0, LONGEST_ID);

const keyOf = ({ service, seq }: AuditRow): string => `${service}-${seq}`;

export function AuditPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation(['audit', 'admin', 'common']);
  const formats = useFormats();
  const search = useSearch();
  const columns = useColumns<AuditRow>();
  const list = useList(call, 'GET /api/admin/audit-log', {
    area: 'audit',
    rows: 'rows',
    filters: {
      who: t('who'),
      object: { label: t('object'), sent: idOf, maxLength: LONGEST_ID },
      area: { label: t('area'), any: t('anyArea'), of: (area) => t(`areas.${area}`) },
      from: t('admin:list.from'),
      to: t('admin:list.to'),
    },
  });
  const unavailable = list.answer?.unavailable ?? [];
  const open = (row: AuditRow) => search.set({ entry: keyOf(row) });
  const shown = list.rows.find((row) => keyOf(row) === search.get('entry'));
  return (
    <ListPanel
      list={list}
      title={t('title')}
      actions={<AuditExport call={call} query={list.asked} />}
      before={<p className="quiet">{t('intro')}</p>}
      above={
        unavailable.length > 0 && (
          <Alert
            kind="offline"
            action={<Button onClick={() => void list.state.refetch()}>{t('common:tryAgain')}</Button>}
          >
            {t('missing', { services: unavailable.join(', ') })}
          </Alert>
        )
      }
      loading={t('loading')}
      empty={{ title: t('empty'), text: t('emptyText') }}
      columns={[
        { name: 'what', label: t('what'), cell: ({ action }) => <strong>{t(`actions.${action}`)}</strong> },
        { name: 'about', label: t('about'), cell: (row) => <About row={row} /> },
        { name: 'who', label: t('who'), cell: ({ by }) => <Who by={by} /> },
        { name: 'when', label: t('when'), cell: ({ at }) => formats.moment(at) },
        columns.open(
          t('details'),
          ({ action, at }) => t('detailsOf', { what: t(`actions.${action}`), when: formats.moment(at) }),
          open,
        ),
      ]}
      keyOf={keyOf}
      onOpen={open}
    >
      {shown && <AuditDetails row={shown} onClose={() => search.set({ entry: null }, { replace: true })} />}
    </ListPanel>
  );
}
