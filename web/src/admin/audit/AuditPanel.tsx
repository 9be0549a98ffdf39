import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { SelectField } from '../../design/components/Field.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import type { PanelProps } from '../panel.ts';
import { Days } from '../payments/Days.tsx';
import { type Column, DataTable } from '../../design/components/DataTable.tsx';
import { choiceOf, ListState, Panel, useSearch } from '../shared/Panel.tsx';
import { Paging, TO_FIRST_PAGE } from '../list/Paging.tsx';
import { SearchBox } from '../list/SearchBox.tsx';
import shared from '../shared/shared.module.css';
import { AREAS, type AuditRow, type Filter, PAGE_ROWS, useAuditExport, useAuditLog } from './audit.ts';
import { About, AuditDetails, Who } from './AuditDetails.tsx';

const keyOf = ({ service, seq }: AuditRow): string => `${service}-${seq}`;

export function AuditPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation(['audit', 'panels']);
  const search = useSearch();
  const filter: Filter = {
    who: search.get('who') ?? '',
    area: choiceOf(search.get('area'), AREAS),
    object: search.get('object') ?? '',
    from: search.get('from') ?? '',
    to: search.get('to') ?? '',
  };
  const query = useAuditLog(call, filter, search.get('cursor') ?? undefined);
  const narrow = (change: Partial<Filter>, replace = false) =>
    search.set({ ...change, ...TO_FIRST_PAGE }, { replace });
  const rows = query.data?.rows ?? [];
  const unavailable = query.data?.unavailable ?? [];
  const isFiltered = Object.values(filter).some(Boolean);
  const shown = rows.find((row) => keyOf(row) === search.get('entry'));
  return (
    <Panel title={t('title')} actions={<Export call={call} filter={filter} />}>
      <p className="quiet">{t('intro')}</p>
      <div className={shared.filters}>
        <SearchBox
          label={t('who')}
          value={filter.who}
          maxLength={254}
          onSearch={(who, replace) => narrow({ who }, replace)}
        />
        <SearchBox
          label={t('object')}
          value={filter.object}
          maxLength={64}
          onSearch={(object, replace) => narrow({ object }, replace)}
        />
        <SelectField
          label={t('area')}
          value={filter.area}
          onChange={(event) => narrow({ area: event.target.value as Filter['area'] })}
        >
          {AREAS.map((area) => (
            <option key={area} value={area}>
              {area === '' ? t('anyArea') : t(`areas.${area}`)}
            </option>
          ))}
        </SelectField>
        <Days from={filter.from} to={filter.to} onChange={narrow} />
      </div>
      {unavailable.length > 0 && (
        <Alert kind="offline" action={<TryAgain onTry={() => void query.refetch()} />}>
          {t('missing', { services: unavailable.join(', ') })}
        </Alert>
      )}
      <ListState
        query={query}
        loading={t('loading')}
        empty={
          rows.length > 0
            ? undefined
            : { title: t('empty'), text: isFiltered ? t('panels:list.emptyFilter') : t('emptyText') }
        }
      >
        <Table rows={rows} onOpen={(entry) => search.set({ entry })} />
        <Paging rows={rows.length} limit={PAGE_ROWS} next={query.data?.nextCursor} />
      </ListState>
      {shown && <AuditDetails row={shown} onClose={() => search.set({ entry: null }, { replace: true })} />}
    </Panel>
  );
}

function TryAgain({ onTry }: { onTry: () => void }) {
  const { t } = useTranslation();
  return <Button onClick={onTry}>{t('tryAgain')}</Button>;
}

function Export({ call, filter }: { call: PortalCall; filter: Filter }) {
  const { t } = useTranslation('audit');
  const toast = useToast();
  const problemText = useProblemText();
  const save = useAuditExport(call, t('title').toLowerCase().replaceAll(' ', '-'));
  const failed = t('exportFailed');
  const onClick = () =>
    save.mutate(filter, {
      onSuccess: () => toast({ kind: 'good', text: t('exported') }),
      onError: (error) => toast({ kind: 'wrong', text: problemText(error, { failed, network: failed }) }),
    });
  return (
    <Button working={save.isPending && t('exporting')} onClick={onClick}>
      {t('export')}
    </Button>
  );
}

function Table({ rows, onOpen }: { rows: readonly AuditRow[]; onOpen: (key: string) => void }) {
  const { t } = useTranslation('audit');
  const { t: admin } = useTranslation('admin');
  const formats = useFormats();
  const columns: Column<AuditRow>[] = [
    { name: 'what', label: t('what'), cell: ({ action }) => <strong>{t(`actions.${action}`)}</strong> },
    { name: 'about', label: t('about'), cell: (row) => <About row={row} /> },
    { name: 'who', label: t('who'), cell: ({ by }) => <Who by={by} /> },
    { name: 'when', label: t('when'), cell: ({ at }) => formats.moment(at) },
    {
      name: 'action',
      label: admin('columns.actions'),
      isAction: true,
      cell: (row) => (
        <Button
          size="small"
          aria-label={t('detailsOf', { what: t(`actions.${row.action}`), when: formats.moment(row.at) })}
          onClick={() => onOpen(keyOf(row))}
        >
          {t('details')}
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      caption={t('title')}
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      onOpen={(row) => onOpen(keyOf(row))}
    />
  );
}
