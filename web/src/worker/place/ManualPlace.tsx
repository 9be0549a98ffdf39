import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Field, TextField } from '../../design/components/Field.tsx';
import styles from '../PlantForm.module.css';
import { readPair } from '../../i18n/typed-numbers.ts';
import type { Typed, TypedPlace } from './manual.ts';

/** Limit of the contract. */
const MAX_PLACE_LENGTH = 200;

interface Props {
  typed: Typed;
  onTyped: (typed: Typed) => void;
  wrong: Extract<TypedPlace, { kind: 'wrong' }> | undefined;
  /** Open when the GPS cannot help. */
  isOpen: boolean;
  description: string;
  onDescription: (text: string) => void;
}

/** A place as coordinates or text, for phones without GPS. */
export function ManualPlace({ typed, onTyped, wrong, isOpen, description, onDescription }: Props) {
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
