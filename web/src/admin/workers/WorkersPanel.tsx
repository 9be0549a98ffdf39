import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { plus } from '../../design/components/icons.ts';
import { AFTER, choiceOf, Choices, ListState, Pages, Panel, SearchBox, useSearch } from '../shared/Panel.tsx';
import shared from '../shared/shared.module.css';
import type { PanelProps } from '../panel.ts';
import { WorkerActions } from './WorkerActions.tsx';
import { WorkerForm } from './WorkerForm.tsx';
import { ACTIVITIES, useWorkers, useWorkloads } from './workers.ts';
import { WorkerTable } from './WorkerTable.tsx';

/** Workers with their workload. */
export function WorkersPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation('desk');
  const search = useSearch();
  const q = search.get('q') ?? '';
  const activity = choiceOf(search.get('active'), ACTIVITIES);
  const query = useWorkers(call, { q, activity, cursor: search.get(AFTER) ?? undefined });
  const workloads = useWorkloads(call).data;
  const workers = query.data?.workers ?? [];
  const opened = search.get('worker');
  const worker = workers.find(({ id }) => id === opened);
  const close = () => search.set({ worker: null, act: null }, { replace: true });
  return (
    <Panel
      title={t('workers.title')}
      actions={
        <Button size="small" icon={plus} onClick={() => search.set({ worker: 'new', act: null })}>
          {t('workers.add')}
        </Button>
      }
    >
      <div className={shared.filters}>
        <SearchBox
          label={t('workers.search')}
          value={q}
          maxLength={100}
          onSearch={(text) => search.set({ q: text, [AFTER]: null })}
        />
        <div className={shared.press}>
          <Choices
            label={t('workers.filter')}
            chosen={activity}
            choices={ACTIVITIES.map((name) => ({ name, text: t(`workers.activities.${name}`) }))}
            onChoose={(name) => search.set({ active: name === 'all' ? null : name, [AFTER]: null })}
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
        <Pages next={query.data?.nextCursor} />
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
