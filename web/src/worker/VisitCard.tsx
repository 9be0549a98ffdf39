import { shortId } from '@arboleda/contracts/order.ts';
import { useTranslation } from 'react-i18next';
import { Badge } from '../design/components/Badge.tsx';
import { useFormats } from '../i18n/format.ts';
import { useField } from './field.ts';
import { belongsTo, isUnsent } from './outbox/item.ts';
import { PhotoUpload } from './PhotoUpload.tsx';
import { Directions, PlaceFacts } from './PlaceFacts.tsx';
import { TaskFrame } from './TaskFrame.tsx';
import type { Visit } from './tasks.ts';
import assignmentStyles from './AssignmentCard.module.css';
import styles from './WorkerPortal.module.css';

/** A purchased growth update, which needs photos. */
export function VisitCard({ visit, now }: { visit: Visit; now: boolean }) {
  const { t } = useTranslation('worker');
  const { t: common } = useTranslation();
  const { items } = useField();
  const { _id: id, state, location, plot, coordinates, photos } = visit;
  const occasion = { kind: 'visit', id } as const;
  const waiting = items.filter((item) => belongsTo(item, occasion) && isUnsent(item)).length;
  const isDone = state === 'done';
  return (
    <TaskFrame
      now={now}
      title={t('visit.title')}
      badge={
        <Badge of={isDone ? 'completed' : 'planted'}>
          {common(`status.${isDone ? 'completed' : 'planted'}`)}
        </Badge>
      }
      since={<VisitDate visit={visit} />}
      summary={
        <>
          <p>{location}</p>
          <WhatVisit visit={visit} />
          {waiting > 0 && <p className={assignmentStyles.waiting}>{t('waiting', { count: waiting })}</p>}
        </>
      }
    >
      {now && <WhatVisit visit={visit} />}
      {now && <PlaceFacts location={location} />}
      {!isDone && <p>{t('visit.photosNext', { count: visit.trees })}</p>}
      <PhotoUpload occasion={occasion} photos={photos} accent={now} isDone={isDone} />
      {!isDone && <Directions plot={plot} coordinates={coordinates} />}
    </TaskFrame>
  );
}

/** A visit in the future, for information only. */
export function ScheduledVisit({ visit }: { visit: Visit }) {
  return (
    <div className={styles.scheduled}>
      <WhatVisit visit={visit} />
      <p>{visit.location}</p>
      <VisitDate visit={visit} />
    </div>
  );
}

function WhatVisit({ visit: { orderId, trees, number, of } }: { visit: Visit }) {
  const { t } = useTranslation('worker');
  const { t: common } = useTranslation();
  return (
    <p>
      {t('visit.what', {
        order: shortId(orderId),
        trees: common('trees', { count: trees }),
        number,
        of,
      })}
    </p>
  );
}

function VisitDate({ visit: { state, dueAt, doneAt } }: { visit: Visit }) {
  const { t } = useTranslation('worker');
  const formats = useFormats();
  if (state === 'done' && doneAt)
    return <p className="quiet">{t('assignment.completedOn', { day: formats.day(doneAt) })}</p>;
  if (!dueAt) return null;
  const day = formats.day(dueAt);
  return <p className="quiet">{t(state === 'due' ? 'visit.dueSince' : 'visit.dueOn', { day })}</p>;
}
