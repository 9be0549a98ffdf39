import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { KEYS } from './orders.ts';
import styles from './parts.module.css';
import { Loaded, Section } from './Section.tsx';

type Mail = Answer<'GET /api/admin/orders/{id}/mails'>['mails'][number];

export function MailsSection({ call, id }: { call: PortalCall; id: string }) {
  const { t } = useTranslation('admin');
  const mails = useQuery({
    queryKey: KEYS.part(id, 'mails'),
    queryFn: async ({ signal }) =>
      (await call('GET /api/admin/orders/{id}/mails', { params: { id }, query: { limit: 100 }, signal }))
        .mails,
  });
  return (
    <Section title={t('mails.title')} wide>
      <Loaded query={mails} missing={t('mails.none')}>
        {(list) =>
          list.length === 0 ? (
            <p className={`quiet ${styles.line}`}>{t('mails.none')}</p>
          ) : (
            <ul>
              {list.map((mail) => (
                <Line key={mail.id} call={call} id={id} mail={mail} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function Line({ call, id, mail }: { call: PortalCall; id: string; mail: Mail }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const problemText = useProblemText();
  const queries = useQueryClient();
  // One request sends one email, even after connection failures.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const resend = useMutation({
    mutationFn: () =>
      call('POST /api/admin/mails/{id}/resend', { params: { id: mail.id }, idempotencyKey: key }),
    onSuccess: () => {
      setKey(crypto.randomUUID());
      return queries.invalidateQueries({ queryKey: KEYS.part(id, 'mails') });
    },
  });
  const kind = t(`mails.kinds.${mail.kind}`, { defaultValue: mail.kind });
  const at = mail.sentAt ?? mail.queuedAt;
  const failed = t('mails.failed');
  return (
    <li className={styles.line}>
      <div className={styles.split}>
        <div>
          <p>
            <strong>{kind}</strong>{' '}
            <span className={mail.state === 'sent' ? 'quiet' : styles.wrong}>
              {t(`mails.states.${mail.state}`)}
            </span>
            {mail.resendOf && <span className="quiet"> · {t('mails.again')}</span>}
          </p>
          <p className="quiet">
            {mail.to.address} · {formats.day(at)}, {formats.time(at)}
          </p>
          {mail.error && <p>{mail.error}</p>}
        </div>
        <Button
          size="small"
          look="text"
          aria-label={t('mails.resendOne', { kind, address: mail.to.address })}
          working={resend.isPending && t('mails.sending')}
          onClick={() => resend.mutate()}
        >
          {t('mails.resend')}
        </Button>
      </div>
      {resend.isSuccess && <Alert kind="good">{t('mails.resent')}</Alert>}
      {resend.error && <Alert kind="wrong">{problemText(resend.error, { failed, network: failed })}</Alert>}
    </li>
  );
}
