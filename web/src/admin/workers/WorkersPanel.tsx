import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { plus } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { AccountState, actionsOf, Acts } from '../list/cells/Account.tsx';
import { Person } from '../list/cells/Person.tsx';
import { useColumns } from '../list/columns.tsx';
import { ListPanel } from '../list/ListPanel.tsx';
import { useSearch } from '../list/use-address.ts';
import { useList } from '../list/use-list.ts';
import type { PanelProps } from '../panel.ts';
import { useMay } from '../permissions.tsx';
import { Load } from './Load.tsx';
import { WorkerActions } from './WorkerActions.tsx';
import { WorkerForm } from './WorkerForm.tsx';
import { useWorkloads, type Worker } from './workers.ts';

export function WorkersPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const may = useMay();
  const search = useSearch();
  const columns = useColumns<Worker>();
  const list = useList(call, 'GET /api/admin/workers', {
    area: 'workers',
    rows: 'workers',
    filters: {
      q: t('workers.search'),
      active: {
        label: t('workers.filter'),
        any: t('workers.activities.all'),
        of: (active) => t(`workers.activities.${active}`),
      },
    },
  });
  const workloads = useWorkloads(call).data;
  const opened = search.get('worker');
  const act = search.get('act');
  const chosen = list.rows.find(({ id }) => id === opened);
  const close = () => search.set({ worker: null, act: null }, { replace: true });
  return (
    <ListPanel
      list={list}
      title={t('workers.title')}
      actions={
        may('workers:write') && (
          <Button size="small" icon={plus} onClick={() => search.set({ worker: 'new', act: null })}>
            {t('workers.add')}
          </Button>
        )
      }
      loading={t('workers.loading')}
      empty={{ title: t('workers.empty'), text: t('workers.emptyText') }}
      columns={[
        {
          name: 'worker',
          label: t('workers.worker'),
          cell: ({ name, email }) => <Person name={name} email={email} />,
        },
        {
          name: 'code',
          label: t('workers.code'),
          cell: ({ workerId }) => <span className="tabular">{workerId}</span>,
        },
        { name: 'region', label: t('workers.region'), cell: ({ region }) => region },
        columns.status((worker) => (
          <AccountState account={worker} word={(state) => t(`workers.states.${state}`)} />
        )),
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
        may('workers:write') &&
          columns.actions((worker) => (
            <Acts
              acts={actionsOf(worker)}
              word={(name) => t(`workers.acts.${name}`)}
              label={(name) => t('workers.actOn', { act: t(`workers.acts.${name}`), name: worker.name })}
              onAct={(name) => search.set({ worker: worker.id, act: name === 'edit' ? null : name })}
            />
          )),
      ]}
      keyOf={({ id }) => id}
    >
      {(opened === 'new' || (chosen && !act)) && (
        <WorkerForm key={opened} call={call} worker={chosen} onClose={close} />
      )}
      {chosen && act && (
        <WorkerActions
          key={`${chosen.id} ${act}`}
          call={call}
          worker={chosen}
          workload={workloads?.get(chosen.id)}
          act={act}
          onClose={close}
        />
      )}
    </ListPanel>
  );
}
