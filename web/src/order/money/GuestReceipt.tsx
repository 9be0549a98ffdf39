import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client.ts';
import type { PublicOrder } from '../../api/order.ts';
import { ApiProblem } from '../../api/problem.ts';
import { saveFile } from '../../api/save-file.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Field } from '../../design/components/Field.tsx';
import { download } from '../../design/components/icons.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { fieldSentence, useProblemText } from '../../session/problem-text.ts';
import { useBuyersEmail } from '../arrival.ts';
import styles from './Receipt.module.css';

/** The receipt for guests, who type the order's address: the receipt has the full name, and links get shared. */
export function GuestReceipt({ order }: { order: Pick<PublicOrder, 'token' | 'shortId'> }) {
  const { t, i18n } = useTranslation('order');
  const problemText = useProblemText();
  const language = asLanguage(i18n.language);
  const field = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState(useBuyersEmail() ?? '');
  const [isEmpty, setEmpty] = useState(false);
  const fetching = useMutation({
    mutationFn: async () => {
      const file = await call('POST /api/track/{token}/receipt', {
        params: { token: order.token },
        body: { email, language },
      });
      saveFile(file, `arboleda-${order.shortId}.pdf`);
    },
    onError: (error) => {
      if (problemOf(error)) field.current?.focus();
    },
  });
  const problem = problemOf(fetching.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setEmpty(email.trim() === '');
    if (email.trim() === '') field.current?.focus();
    else fetching.mutate();
  };
  return (
    <form noValidate className={styles.guestReceipt} onSubmit={submit}>
      <Field
        ref={field}
        label={t('receipt.email')}
        hint={t('receipt.emailHint')}
        type="email"
        autoComplete="email"
        maxLength={254}
        required
        value={email}
        error={
          (isEmpty && t('receipt.emailMissing')) || (problem && fieldSentence(problem, language ?? 'en'))
        }
        onChange={({ target }) => setEmail(target.value)}
      />
      <Button type="submit" icon={download} working={fetching.isPending && t('receipt.fetching')}>
        {t('receipt.pdf')}
      </Button>
      {fetching.isSuccess && <Alert kind="good">{t('receipt.saved')}</Alert>}
      {fetching.isError && !problem && (
        <Alert kind="wrong">
          {problemText(fetching.error, { failed: t('receipt.failed'), network: t('receipt.failed') })}
        </Alert>
      )}
    </form>
  );
}

const problemOf = (error: unknown) =>
  error instanceof ApiProblem ? error.fields.find(({ path }) => path === 'email') : undefined;
