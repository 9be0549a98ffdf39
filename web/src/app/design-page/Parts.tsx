import { useState } from 'react';
import { fieldPortrait, fieldSapling, fieldValley } from '../../art/scenes.ts';
import acorns from '../../art/sp-seeds.svg';
import work from '../../art/sp-work.svg';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { EmptyState } from '../../design/components/EmptyState.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { GrowthSchedule } from '../../design/components/GrowthSchedule.tsx';
import { MapCard } from '../../design/components/MapCard.tsx';
import { Money } from '../../design/components/Money.tsx';
import { PhotoGrid } from '../../design/components/PhotoGrid.tsx';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import { Tabs } from '../../design/components/Tabs.tsx';
import { Timeline } from '../../design/components/Timeline.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import styles from './DesignPage.module.css';
import type { SAMPLES } from './samples.ts';
import { Section } from './Section.tsx';

type Say = (typeof SAMPLES)['en'];

const PHOTOS = [fieldValley, fieldPortrait, fieldSapling].map(({ src, width, height }) => ({
  filename: String(src),
  width,
  height,
  uploadedAt: '2026-12-12T14:45:00Z',
}));

/** Composite components: timeline, tabs, messages, dialog, states, facts, map, photos, schedule. */
export function Parts({ say }: { say: Say }) {
  const show = useToast();
  const [asking, setAsking] = useState(false);
  const [tab, setTab] = useState<'orders' | 'payments' | 'workers'>('orders');
  const step = (name: string, label: string, value: string, state: 'done' | 'current' | 'ahead') => ({
    name,
    label,
    value,
    when: '12 · 12 · 2026',
    state,
    stateText: state === 'ahead' ? say.ahead : say.done,
  });
  return (
    <>
      <Section title={say.timeline}>
        <div className={`on-forest ${styles.panel}`}>
          <Timeline
            label={say.timeline}
            steps={[
              step('paid', say.paid, 'USD 20.00', 'done'),
              step('assigned', say.assigned, 'Marleny Ospina', 'done'),
              step('planted', say.planted, 'La Carbonera', 'current'),
              step('growth', say.growing, '2027', 'ahead'),
            ]}
          />
        </div>
      </Section>
      <Section title={say.tabs}>
        <div className={styles.stack}>
          <Tabs
            label={say.tabs}
            tabs={[
              { name: 'orders', label: say.orders, count: '1,284' },
              { name: 'payments', label: say.payments, count: '6' },
              { name: 'workers', label: say.workers },
            ]}
            chosen={tab}
            onChoose={setTab}
          >
            <p className="quiet">{say[tab]}</p>
          </Tabs>
        </div>
      </Section>
      <Section title={say.messages}>
        <div className={styles.stack}>
          <Alert kind="good">{say.saved}</Alert>
          <Alert kind="wrong" action={<Button size="small">{say.again}</Button>}>
            {say.failed}
          </Alert>
          <Alert kind="offline">{say.offline}</Alert>
        </div>
        <Button onClick={() => show({ kind: 'good', text: say.saved })}>{say.toast}</Button>
      </Section>
      <Section title={say.dialog}>
        <Button onClick={() => setAsking(true)}>{say.change}</Button>
        <ConfirmDialog
          open={asking}
          onClose={() => setAsking(false)}
          title={say.ask}
          confirm={say.change}
          onConfirm={() => setAsking(false)}
        >
          <p>{say.tells}</p>
        </ConfirmDialog>
      </Section>
      <Section title={say.states}>
        <EmptyState
          drawing={acorns}
          title={say.emptyTitle}
          action={<Button look="accent">{say.plant}</Button>}
        >
          {say.empty}
        </EmptyState>
        <EmptyState drawing={work} title={say.failedTitle} action={<Button>{say.again}</Button>}>
          {say.failedText}
        </EmptyState>
        <div className={styles.stack}>
          <Skeleton label={say.loading} />
        </div>
      </Section>
      <Section title={say.facts}>
        <div className={styles.stack}>
          <Facts
            rows={[
              { label: say.by, value: 'Marleny Ospina' },
              { label: say.amount, value: <Money amountMinor={8_230_000} currency="COP" /> },
            ]}
          />
        </div>
      </Section>
      <Section title={say.map}>
        <div className={styles.stack}>
          <MapCard
            coordinates={{ latitude: 4.637214, longitude: -75.487031 }}
            facts={[{ label: say.place, value: 'La Carbonera' }]}
          />
        </div>
      </Section>
      <Section title={say.photos}>
        <div className={styles.stack}>
          <PhotoGrid photos={PHOTOS} />
        </div>
      </Section>
      <Section title={say.growth}>
        <div className={styles.stack}>
          <GrowthSchedule
            label={say.growth}
            ticks={[
              { at: 0.25, label: '2027' },
              { at: 0.75, label: '2028' },
            ]}
            rows={[
              {
                key: 'first',
                title: say.first,
                detail: say.firstDetail,
                words: say.firstWords,
                marks: [
                  { at: 0.1, state: 'done' },
                  { at: 0.25, state: 'due' },
                  { at: 0.5, state: 'ahead' },
                ],
              },
            ]}
          />
        </div>
      </Section>
    </>
  );
}
