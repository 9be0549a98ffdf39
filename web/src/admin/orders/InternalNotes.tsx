import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';
import { KEYS, type OrderDetails } from './orders.ts';
import styles from './parts.module.css';
import { Section } from './Section.tsx';

export function InternalNotes({ call, order }: { call: PortalCall; order: OrderDetails }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const problemText = useProblemText();
  const queries = useQueryClient();
  const may = useMay();
  const [text, setText] = useState('');
  const [asked, setAsked] = useState(false);
  // A retry of the same text is one note; another text is a new note.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const add = useMutation({
    mutationFn: async () =>
      (
        await call('POST /api/admin/orders/{id}/notes', {
          params: { id: order._id },
          body: { text: text.trim() },
          idempotencyKey: key,
        })
      ).order,
    onSuccess: (fresh) => {
      queries.setQueryData(KEYS.part(order._id, 'details'), fresh);
      setText('');
      setAsked(false);
      setKey(crypto.randomUUID());
    },
  });
  const failed = t('internal.failed');
  return (
    <Section title={t('internal.title')} wide>
      <ul>
        {order.internalNotes.toReversed().map((note) => (
          <li key={note.noteId} className={styles.line}>
            <p className={styles.text}>{note.text}</p>
            <p className="quiet">
              {note.by.name} · {formats.moment(note.at)}
            </p>
          </li>
        ))}
      </ul>
      {may('notes:write') && (
        <form
          className={`${styles.fields} ${styles.form}`}
          onSubmit={(event) => {
            event.preventDefault();
            setAsked(true);
            if (text.trim() && !add.isPending) add.mutate();
          }}
        >
          <TextField
            label={t('internal.label')}
            hint={t('internal.hint')}
            rows={2}
            maxLength={5000}
            error={asked && text.trim() === '' && t('internal.missing')}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setAsked(false);
              setKey(crypto.randomUUID());
            }}
          />
          {add.error && <Alert kind="wrong">{problemText(add.error, { failed, network: failed })}</Alert>}
          <div className={styles.acts}>
            <Button size="small" type="submit" working={add.isPending && t('internal.adding')}>
              {t('internal.add')}
            </Button>
          </div>
        </form>
      )}
    </Section>
  );
}
