import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Field } from '../../design/components/Field.tsx';
import styles from './desk.module.css';

interface Props {
  label: string;
  /** What the address says. */
  value: string;
  maxLength: number;
  onSearch: (text: string) => void;
}

/** Searches on Enter: every search is an address of its own, and a half-typed one is none. */
export function SearchBox({ label, value, maxLength, onSearch }: Props) {
  const { t } = useTranslation('desk');
  const [typed, setTyped] = useState<{ of: string; text: string }>({ of: value, text: value });
  // Going back changes the address under the field.
  const text = typed.of === value ? typed.text : value;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <form role="search" className={`${styles.search} ${styles.filters}`} onSubmit={submit}>
      <div className={styles.search}>
        <Field
          label={label}
          type="search"
          maxLength={maxLength}
          value={text}
          onChange={(event) => setTyped({ of: value, text: event.target.value })}
        />
      </div>
      <Button type="submit" className={styles.press}>
        {t('list.search')}
      </Button>
    </form>
  );
}
