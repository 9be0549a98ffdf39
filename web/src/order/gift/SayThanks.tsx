import { MAX_THANKS } from '@arboleda/contracts/gift.ts';
import { fieldProblemTitle } from '@arboleda/contracts/problems.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client.ts';
import { ApiProblem, isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { fieldSentence, useProblemText } from '../../session/problem-text.ts';
import { giftKey, type ReceivedGift } from './gifts.ts';
import { hasLink, useTextRules } from './text-rules.ts';
import styles from './gifts.module.css';

/** One short text to the buyer, once. */
export function SayThanks({ gift }: { gift: ReceivedGift }) {
  const { t, i18n } = useTranslation('gift');
  const formats = useFormats();
  const language = asLanguage(i18n.language) ?? 'en';
  const problemText = useProblemText();
  const queries = useQueryClient();
  useTextRules();
  const field = useRef<HTMLFormElement>(null);
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string>();
  const left = MAX_THANKS - text.trim().length;
  const sending = useMutation({
    mutationFn: async () =>
      (
        await call('POST /api/gifts/{token}/thanks', {
          params: { token: gift.token },
          body: { text: text.trim() },
        })
      ).gift,
    onSuccess: (thanked) => queries.setQueryData(giftKey(gift.token), thanked),
    onError: (error) => {
      if (isProblem(error, 'gift-thanked')) void queries.invalidateQueries({ queryKey: giftKey(gift.token) });
      const refused =
        error instanceof ApiProblem ? error.fields.find(({ path }) => path === 'text') : undefined;
      if (refused) mark(fieldSentence(refused, language));
    },
  });
  const mark = (problem: string) => {
    setWrong(problem);
    field.current?.querySelector('textarea')?.focus();
  };
  // Nobody reads thanks of an erased buyer.
  if (!gift.from) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sending.isPending) return;
    if (text.trim() === '') return mark(t('thanks.missing'));
    if (left < 0) return mark(t('form.tooLong', { count: MAX_THANKS }));
    if (hasLink(text)) return mark(fieldProblemTitle('no-links', language));
    sending.mutate();
  };
  return (
    <section aria-labelledby="thanks-title">
      <h2 id="thanks-title" className="sub-title">
        {t('thanks.title', { from: gift.from })}
      </h2>
      {gift.thankedAt ? (
        <Alert kind="good">{t('thanks.done', { from: gift.from, day: formats.day(gift.thankedAt) })}</Alert>
      ) : (
        <form ref={field} noValidate className={styles.form} onSubmit={submit}>
          <TextField
            label={t('thanks.label')}
            hint={
              left < 0
                ? t('form.tooLong', { count: MAX_THANKS })
                : t('thanks.left', { count: left, from: gift.from })
            }
            rows={3}
            value={text}
            error={wrong}
            onChange={({ target }) => {
              setText(target.value);
              setWrong(undefined);
              if (sending.isError) sending.reset();
            }}
          />
          {sending.isError && !wrong && (
            <Alert kind="wrong">
              {problemText(sending.error, { failed: t('thanks.failed'), network: t('thanks.failed') })}
            </Alert>
          )}
          <div className={styles.actions}>
            <Button type="submit" working={sending.isPending && t('thanks.working')}>
              {t('thanks.submit')}
            </Button>
          </div>
        </form>
      )}
    </section>
  );
}
