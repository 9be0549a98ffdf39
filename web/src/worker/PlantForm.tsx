import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/components/Button.tsx';
import { Field, TextField } from '../design/components/Field.tsx';
import { Icon } from '../design/components/Icon.tsx';
import { checkCircle, crosshair, mapPin, plant, warning } from '../design/components/icons.ts';
import { coordinatesText } from '../design/components/map-address.ts';
import { useFormats } from '../i18n/format.ts';
import { readPair } from '../i18n/typed-numbers.ts';
import { NotesField, stepItem } from './steps.tsx';
import styles from './PlantForm.module.css';
import { useField } from './field.ts';
import type { StatusBody } from './outbox/item.ts';
import {
  currentFix,
  GOOD_METRES,
  type Locating,
  readTyped,
  type Typed,
  type TypedPlace,
  usePlace,
} from './place/place.ts';
import type { Assignment } from './tasks.ts';

function GpsState({ locating, onStart }: { locating: Locating; onStart: () => void }) {
  const { t } = useTranslation('worker');
  const { step } = locating;
  return (
    <div className={styles.gps}>
      <div role="status">
        <Words locating={locating} />
      </div>
      {step !== 'searching' && (
        <Button wide icon={crosshair} onClick={onStart}>
          {t(step === 'idle' ? 'plant.gps' : 'plant.gpsAgain')}
        </Button>
      )}
    </div>
  );
}

function Words({ locating }: { locating: Locating }) {
  const { t } = useTranslation('worker');
  const formats = useFormats();
  const metres = (accuracyMetres: number) => ({ distance: formats.distance(accuracyMetres) });
  switch (locating.step) {
    case 'idle':
      return null;
    case 'searching':
      return (
        <p className={styles.state}>
          <Icon of={crosshair} />
          {locating.best ? t('plant.improving', metres(locating.best.accuracyMetres)) : t('plant.searching')}
        </p>
      );
    case 'found':
      return (
        <p className={`${styles.state} ${styles.found}`}>
          <Icon of={locating.fix.accuracyMetres <= GOOD_METRES ? checkCircle : mapPin} />
          <span>
            <strong>{t('plant.found', metres(locating.fix.accuracyMetres))}</strong>
            <br />
            <span className="tabular">{coordinatesText(locating.fix)}</span>
          </span>
        </p>
      );
    case 'failed':
      return (
        <p className={`${styles.state} ${styles.failed}`}>
          <Icon of={warning} />
          {t(`plant.${locating.why}`)}
        </p>
      );
  }
}

/** Limit of the contract. */
const MAX_PLACE_LENGTH = 200;

interface ManualPlaceProps {
  typed: Typed;
  onTyped: (typed: Typed) => void;
  wrong: Extract<TypedPlace, { kind: 'wrong' }> | undefined;
  /** Open when the GPS cannot help. */
  isOpen: boolean;
  description: string;
  onDescription: (text: string) => void;
}

/** A place as coordinates or text, for phones without GPS. */
function ManualPlace({ typed, onTyped, wrong, isOpen, description, onDescription }: ManualPlaceProps) {
  const { t } = useTranslation('worker');
  const fields = useRef<HTMLDivElement>(null);
  const swap = () => {
    onTyped({ latitude: typed.longitude, longitude: typed.latitude });
    fields.current?.querySelector('input')?.focus();
  };
  const field = (name: keyof Typed) => (
    <Field
      label={t(`manual.${name}`)}
      hint={t(`manual.${name}Hint`)}
      // Numeric keyboards lack the minus sign.
      inputMode="text"
      autoComplete="off"
      error={wrong?.field === name && t(`manual.wrong.${wrong.why}`)}
      value={typed[name]}
      onChange={({ target: { value } }) => onTyped(readPair(value) ?? { ...typed, [name]: value })}
    />
  );
  return (
    <details open={isOpen || wrong !== undefined || undefined}>
      <summary className={styles.more}>{t('manual.open')}</summary>
      <div ref={fields} className={styles.fields}>
        {field('latitude')}
        {field('longitude')}
        {wrong?.why === 'swapped' && (
          <Button wide onClick={swap}>
            {t('manual.swap')}
          </Button>
        )}
        <TextField
          label={t('manual.description')}
          hint={t('manual.descriptionHint')}
          rows={2}
          maxLength={MAX_PLACE_LENGTH}
          value={description}
          onChange={(event) => onDescription(event.target.value)}
        />
      </div>
    </details>
  );
}

interface PlantFormProps {
  assignment: Assignment;
  onClose: () => void;
  onPlanted: () => void;
}

/** Records the place by GPS or by hand, then marks the order as planted. */
export function PlantForm({ assignment, onClose, onPlanted }: PlantFormProps) {
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
        {t('plant.title', { count: assignment.trees })}
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
