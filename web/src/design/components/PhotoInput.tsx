import { useId, useRef } from 'react';
import { useDropzone } from 'react-dropzone';
import { Button } from './Button.tsx';
import { FieldError } from './Field.tsx';
import { camera, upload } from './icons.ts';
import { PhotoRow, type ChosenPhoto } from './PhotoRow.tsx';
import styles from './PhotoInput.module.css';

export type { ChosenPhoto } from './PhotoRow.tsx';

interface Props {
  label: string;
  hint: string;
  error?: string | undefined;
  texts: {
    take: string;
    choose: string;
    /** Shown where a mouse can drop files. */
    drop: string;
    remove: (name: string) => string;
  };
  /** Types for the picker; the receiver validates files again. */
  accept: readonly string[];
  photos: readonly ChosenPhoto[];
  locked?: boolean;
  onAdd: (files: File[]) => void;
  onRemove: (id: string) => void;
}

/** Chooses pictures by camera, picker, drop or paste, each with preview and state. */
export function PhotoInput(props: Props) {
  const { label, hint, error, texts, accept, photos, locked = false, onAdd, onRemove } = props;
  const id = useId();
  const shot = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const chooser = useRef<HTMLDivElement>(null);
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    noClick: true,
    noKeyboard: true,
    disabled: locked,
    // Accepts everything, so that the receiver can explain refused files.
    onDrop: (files) => onAdd(files),
  });
  const remove = (photo: ChosenPhoto, at: number) => {
    onRemove(photo.id);
    const buttons = list.current?.querySelectorAll<HTMLElement>('button');
    (buttons?.[at + 1] ?? buttons?.[at - 1] ?? chooser.current?.querySelector('button'))?.focus();
  };
  return (
    <div role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-hint ${id}-error`}>
      <p id={`${id}-label`} className={styles.label}>
        {label}
      </p>
      <div
        {...getRootProps({
          className: `${styles.zone} ${isDragActive ? styles.over : ''} ${error ? styles.wrong : ''}`,
        })}
      >
        <input {...getInputProps({ accept: accept.join(','), 'aria-label': texts.choose })} />
        <input
          ref={shot}
          hidden
          type="file"
          accept="image/*"
          capture="environment"
          aria-label={texts.take}
          disabled={locked}
          onChange={(event) => {
            onAdd([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        <div ref={chooser} className={styles.ways}>
          <Button icon={upload} className={styles.choose} disabled={locked} onClick={open}>
            {texts.choose}
          </Button>
          <Button
            icon={camera}
            className={styles.take}
            disabled={locked}
            onClick={() => shot.current?.click()}
          >
            {texts.take}
          </Button>
          <p className={`small quiet ${styles.drop}`}>{texts.drop}</p>
        </div>
        <p id={`${id}-hint`} className="small quiet">
          {hint}
        </p>
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
      <ul ref={list} className={styles.photos}>
        {photos.map((photo, at) => (
          <PhotoRow
            key={photo.id}
            photo={photo}
            removeLabel={texts.remove(photo.name)}
            locked={locked}
            onRemove={() => remove(photo, at)}
          />
        ))}
      </ul>
    </div>
  );
}
