import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../design/components/Button.tsx';
import { Field } from '../../design/components/Field.tsx';
import { EXAMPLE_CODE, typedCode } from './certificates.ts';
import styles from './certificates.module.css';

/** @param typed what was typed before, to be mended */
export function CodeForm({ typed = '' }: { typed?: string }) {
  const { t } = useTranslation('certificate');
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(typed);
  const [problem, setProblem] = useState<'missing' | 'mistyped'>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = typedCode(text);
    if (code !== 'mistyped') return void navigate(`/c/${code}`);
    setProblem(text.trim() === '' ? 'missing' : 'mistyped');
    field.current?.focus();
  };
  return (
    <form noValidate className={styles.form} onSubmit={submit}>
      <Field
        ref={field}
        label={t('verify.code')}
        hint={t('verify.hint', { example: EXAMPLE_CODE })}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        dir="ltr"
        maxLength={200}
        value={text}
        error={problem && t(`verify.${problem}`)}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" look="accent">
        {t('verify.submit')}
      </Button>
    </form>
  );
}
