import { acceptsPhotos } from '@arboleda/contracts/order.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../design/components/Badge.tsx';
import { Button } from '../design/components/Button.tsx';
import { plant } from '../design/components/icons.ts';
import { useFormats } from '../i18n/format.ts';
import { CompleteStep, StepState } from './steps.tsx';
import { useField } from './field.ts';
import { belongsTo, isPhoto, isUnsent } from './outbox/item.ts';
import { PhotoUpload } from './PhotoUpload.tsx';
import { PlantForm } from './PlantForm.tsx';
import { Directions, PlaceFacts } from './PlaceFacts.tsx';
import { TaskFrame } from './TaskFrame.tsx';
import { type Assignment, nextStep, type Step } from './tasks.ts';
import styles from './AssignmentCard.module.css';

interface Props {
  assignment: Assignment;
  now: boolean;
  onMoved: (assignment: Assignment, status: Step) => void;
}

export function AssignmentCard({ assignment, now, onMoved }: Props) {
  const { t } = useTranslation('worker');
  const { t: common } = useTranslation();
  const { items } = useField();
  const [isPlanting, setPlanting] = useState(false);
  const { _id: id, status, trees, photos, customerEmail, location, plot, coordinates } = assignment;
  const occasion = { kind: 'assignment', id } as const;
  const own = items.filter((item) => belongsTo(item, occasion));
  const waiting = own.filter(isUnsent).length;
  const step = nextStep(assignment);
  // Photos come before completion: without one, taking a photo is the main action.
  const hasPhoto = photos.length > 0 || own.some((item) => isPhoto(item) && item.state.step !== 'refused');
  const photoFirst = status === 'planted' && !hasPhoto;
  return (
    <TaskFrame
      now={now}
      title={
        status === 'assigned' ? t('assignment.plant', { count: trees }) : common('trees', { count: trees })
      }
      badge={<Badge of={status}>{common(`status.${status}`)}</Badge>}
      since={<Since assignment={assignment} />}
      summary={
        <>
          <p>{location}</p>
          <p className="quiet">{customerEmail}</p>
          {waiting > 0 && <p className={styles.waiting}>{t('waiting', { count: waiting })}</p>}
        </>
      }
    >
      <PlaceFacts {...(now && { location, person: customerEmail })} notes={assignment.notes} />
      <StepState assignment={assignment} />
      {photoFirst && <p>{t('assignment.photosNext', { count: trees })}</p>}
      {acceptsPhotos(status) && (
        <PhotoUpload
          occasion={occasion}
          photos={photos}
          accent={now && photoFirst}
          isDone={status === 'completed'}
        />
      )}
      {step === 'planted' &&
        (isPlanting ? (
          <PlantForm
            assignment={assignment}
            onClose={() => setPlanting(false)}
            onPlanted={() => {
              setPlanting(false);
              onMoved(assignment, 'planted');
            }}
          />
        ) : (
          <Button
            wide
            size="large"
            look={now ? 'accent' : 'secondary'}
            icon={plant}
            onClick={() => setPlanting(true)}
          >
            {t('assignment.markPlanted')}
          </Button>
        ))}
      {step === 'completed' && (
        <CompleteStep
          assignment={assignment}
          accent={now && !photoFirst}
          hasPhoto={hasPhoto}
          onCompleted={() => onMoved(assignment, 'completed')}
        />
      )}
      {status !== 'completed' && !isPlanting && <Directions plot={plot} coordinates={coordinates} />}
    </TaskFrame>
  );
}

function Since({ assignment }: { assignment: Assignment }) {
  const { t } = useTranslation('worker');
  const formats = useFormats();
  const { status, assignedAt, plantedAt, completedAt } = assignment;
  const words =
    status === 'completed' && completedAt
      ? t('assignment.completedOn', { day: formats.day(completedAt) })
      : status === 'planted' && plantedAt
        ? t('assignment.plantedOn', { day: formats.shortDay(plantedAt) })
        : t('assignment.since', { day: formats.shortDay(assignedAt) });
  return <p className="quiet">{words}</p>;
}
