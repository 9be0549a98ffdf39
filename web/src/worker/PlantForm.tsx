import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/components/Button.tsx';
import { plant } from '../design/components/icons.ts';
import { useField } from './field.ts';
import { NotesField } from './NotesField.tsx';
import type { StatusBody } from './outbox/item.ts';
import { GpsState } from './place/GpsState.tsx';
import { currentFix } from './place/locating.ts';
import { ManualPlace } from './place/ManualPlace.tsx';
import { readTyped } from './place/manual.ts';
import { usePlace } from './place/use-place.ts';
import { stepItem } from './steps.ts';
import type { Assignment } from './tasks.ts';
import styles from './PlantForm.module.css';

interface Props {
  assignment: Assignment;
  onClose: () => void;
  onPlanted: () => void;
}

/** Records the place by GPS or by hand, then marks the order as planted. */
export function PlantForm({ assignment, onClose, onPlanted }: Props) {
  const { t } = useTranslation('worker');
  const { outbox, workerId } = useField();
  const { locating, start } = usePlace();
  const [typed, setTyped] = useState({ latitude: '', longitude: '' });
  const [description, setDescription] = useState('');
  const [notes, setNotes] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    start();
  }, [start]);

  const place = readTyped(typed);
  const fix = currentFix(locating);
  const hasPlace = place.kind === 'place' || fix !== undefined;

  const save = async () => {
    setChecked(true);
    if (place.kind === 'wrong') return;
    setSaving(true);
    // Typed coordinates win over the GPS.
    const coordinates =
      place.kind === 'place' ? { latitude: place.latitude, longitude: place.longitude } : fix;
    const body: StatusBody = {
      status: 'planted',
      ...(coordinates && { coordinates }),
      ...(description.trim() && { location: description.trim() }),
      ...(notes.trim() && { notes: notes.trim() }),
    };
    await outbox.add(stepItem(workerId, assignment._id, body));
    onPlanted();
  };

  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSaving) void save();
      }}
    >
      <h4 ref={heading} tabIndex={-1} className={styles.heading}>
        {t('plant.title')}
      </h4>
      <GpsState locating={locating} onStart={start} />
      <ManualPlace
        typed={typed}
        onTyped={setTyped}
        wrong={isChecked && place.kind === 'wrong' ? place : undefined}
        isOpen={locating.step === 'failed'}
        description={description}
        onDescription={setDescription}
      />
      <details>
        <summary className={styles.more}>{t('assignment.addNote')}</summary>
        <NotesField value={notes} onChange={setNotes} />
      </details>
      <Button
        type="submit"
        wide
        size="large"
        look="accent"
        icon={plant}
        working={isSaving && t('assignment.working')}
      >
        {t(hasPlace || place.kind === 'wrong' ? 'plant.save' : 'plant.saveWithout')}
      </Button>
      <Button wide onClick={onClose}>
        {t('plant.back')}
      </Button>
    </form>
  );
}
