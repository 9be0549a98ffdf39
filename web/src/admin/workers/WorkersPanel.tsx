import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { check, close, hourglass, plus } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import type { PanelProps } from '../panel.ts';
import { type Column, DataTable } from '../../design/components/DataTable.tsx';
import { choiceOf, Choices, ListState, Panel, useSearch } from '../shared/Panel.tsx';
import { TO_FIRST_PAGE, Paging } from '../list/Paging.tsx';
import { SearchBox } from '../list/SearchBox.tsx';
import shared from '../shared/shared.module.css';
import { WorkerActions } from './WorkerActions.tsx';
import { WorkerForm } from './WorkerForm.tsx';
import styles from './Workers.module.css';
import {
  ACTIVITIES,
  PAGE_ROWS,
  takenOf,
  useWorkers,
  useWorkloads,
  type Worker,
  type Workload,
} from './workers.ts';
import { useMay } from '../permissions.tsx';

type WorkerAction = 'edit' | 'deactivate' | 'reactivate' | 'invite' | 'remove';

/** Possible actions by invitation and active state. */
export function actionsOf({
  active,
  invitationPending,
}: Pick<Worker, 'active' | 'invitationPending'>): WorkerAction[] {
  if (invitationPending) return active ? ['edit', 'invite', 'remove'] : ['edit', 'reactivate', 'remove'];
  return ['edit', active ? 'deactivate' : 'reactivate'];
}

interface Props {
  workers: readonly Worker[];
  workloads: ReadonlyMap<string, Workload> | undefined;
  onAct: (id: string, act: WorkerAction) => void;
}

function WorkerTable({ workers, workloads, onAct }: Props) {
  const { t } = useTranslation('panels');
  const { t: admin } = useTranslation('admin');
  const formats = useFormats();
  const may = useMay();
  const columns: (Column<Worker> | false)[] = [
    {
      name: 'worker',
      label: t('workers.worker'),
      cell: ({ name, email }) => (
        <span>
          <strong>{name}</strong>
          <br />
          <span className="quiet">{email}</span>
        </span>
      ),
    },
    {
      name: 'code',
      label: t('workers.code'),
      cell: ({ workerId }) => <span className="tabular">{workerId}</span>,
    },
    { name: 'region', label: t('workers.region'), cell: ({ region }) => region },
    { name: 'state', label: admin('columns.status'), cell: (worker) => <State worker={worker} /> },
    {
      name: 'load',
      label: t('workers.load'),
      cell: ({ id, capacityTrees }) => <Load load={workloads?.get(id)} capacityTrees={capacityTrees} />,
    },
    {
      name: 'planted',
      label: t('workers.planted'),
      isNumber: true,
      cell: ({ id }) => formats.number(workloads?.get(id)?.treesPlanted ?? 0),
    },
    may('workers:write') && {
      name: 'actions',
      label: admin('columns.actions'),
      isAction: true,
      cell: (worker) => (
        <div className={shared['table-actions']}>
          {actionsOf(worker).map((act) => (
            <Button
              key={act}
              size="small"
              aria-label={t('workers.actOn', { act: t(`workers.acts.${act}`), name: worker.name })}
              onClick={() => onAct(worker.id, act)}
            >
              {t(`workers.acts.${act}`)}
            </Button>
          ))}
        </div>
      ),
    },
  ];
  return <DataTable caption={t('workers.title')} columns={columns} rows={workers} keyOf={({ id }) => id} />;
}

function State({ worker: { active, invitationPending } }: { worker: Worker }) {
  const { t } = useTranslation('panels');
  const [icon, tone, word] = !active
    ? ([close, shared.brick, 'inactive'] as const)
    : invitationPending
      ? ([hourglass, shared.pending, 'invited'] as const)
      : ([check, shared.leaf, 'active'] as const);
  return (
    <span className={`${shared.mark} ${tone}`}>
      <Icon of={icon} size="small" />
      {t(`workers.states.${word}`)}
    </span>
  );
}

function Load({ load, capacityTrees }: { load: Workload | undefined; capacityTrees: number }) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const open = load?.openTrees ?? 0;
  return (
    <span className={styles.load}>
      <span className="tabular">
        {t('workers.openOf', { open: formats.number(open), capacity: formats.number(capacityTrees) })}
      </span>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" className={styles.bar}>
        <rect width="100" height="6" className={styles.room} />
        <rect
          width={load ? Math.min(1, takenOf(load)) * 100 : 0}
          height="6"
          className={load && takenOf(load) > 1 ? styles.over : styles.taken}
        />
      </svg>
      {load && (
        <span className="quiet">
          {t('workers.openAssignments', { count: load.openAssignments })}
          {load.visitsDue > 0 && `, ${t('workers.visitsDue', { count: load.visitsDue })}`}
        </span>
      )}
    </span>
  );
}

export function WorkersPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation('panels');
  const may = useMay();
  const search = useSearch();
  const q = search.get('q') ?? '';
  const activity = choiceOf(search.get('active'), ACTIVITIES);
  const query = useWorkers(call, { q, activity, cursor: search.get('cursor') ?? undefined });
  const workloads = useWorkloads(call).data;
  const workers = query.data?.workers ?? [];
  const opened = search.get('worker');
  const worker = workers.find(({ id }) => id === opened);
  const close = () => search.set({ worker: null, act: null }, { replace: true });
  return (
    <Panel
      title={t('workers.title')}
      actions={
        may('workers:write') && (
          <Button size="small" icon={plus} onClick={() => search.set({ worker: 'new', act: null })}>
            {t('workers.add')}
          </Button>
        )
      }
    >
      <div className={shared.filters}>
        <SearchBox
          label={t('workers.search')}
          value={q}
          maxLength={100}
          onSearch={(text, replace) => search.set({ q: text, ...TO_FIRST_PAGE }, { replace })}
        />
        <div className={shared.press}>
          <Choices
            label={t('workers.filter')}
            chosen={activity}
            choices={ACTIVITIES.map((name) => ({ name, text: t(`workers.activities.${name}`) }))}
            onChoose={(name) => search.set({ active: name === 'all' ? null : name, ...TO_FIRST_PAGE })}
          />
        </div>
      </div>
      <ListState
        query={query}
        loading={t('workers.loading')}
        empty={
          workers.length > 0
            ? undefined
            : {
                title: t('workers.empty'),
                text: q || activity !== 'all' ? t('list.emptyFilter') : t('workers.emptyText'),
              }
        }
      >
        <WorkerTable
          workers={workers}
          workloads={workloads}
          onAct={(id, act) => search.set({ worker: id, act: act === 'edit' ? null : act })}
        />
        <Paging rows={workers.length} limit={PAGE_ROWS} next={query.data?.nextCursor} />
      </ListState>
      {(opened === 'new' || (worker && !search.get('act'))) && (
        <WorkerForm key={opened} call={call} worker={worker} onClose={close} />
      )}
      {worker && search.get('act') && (
        <WorkerActions
          key={`${worker.id} ${search.get('act')}`}
          call={call}
          worker={worker}
          workload={workloads?.get(worker.id)}
          act={search.get('act')!}
          onClose={close}
        />
      )}
    </Panel>
  );
}
