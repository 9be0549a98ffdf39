import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import styles from '../refund/RefundDialog.module.css';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';
import { KEYS, type OrderDetails } from './orders.ts';
import { Section } from './Section.tsx';

interface Props {
  call: PortalCall;
  order: OrderDetails;
}

/** The order's certificate, which an admin may revoke for good. */
export function CertificateSection({ call, order }: Props) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const may = useMay();
  const [isRevoking, setRevoking] = useState(false);
  const { certificate } = order;
  if (!certificate) return null;
  const { code, version, name, state, issuedAt, revoked } = certificate;
  const isForGood = revoked?.cause === 'admin';
  return (
    <Section
      title={t('certificate.title')}
      wide
      action={
        !isForGood &&
        may('certificates:write') && (
          <Button size="small" look="text" onClick={() => setRevoking(true)}>
            {t('certificate.revoke')}
          </Button>
        )
      }
    >
      <Facts
        rows={[
          { label: t('certificate.state'), value: t(`certificate.states.${state}`) },
          {
            label: t('certificate.code'),
            value: (
              <a href={`/c/${code}`} target="_blank" rel="noreferrer">
                {code}
              </a>
            ),
          },
          {
            label: t('certificate.version'),
            value: t('certificate.issued', {
              version: formats.number(version),
              day: formats.day(issuedAt),
            }),
          },
          { label: t('certificate.name'), value: name ?? t('certificate.noName') },
          ...(revoked
            ? [
                { label: t('certificate.revokedOn'), value: formats.day(revoked.at) },
                {
                  label: t('certificate.reason'),
                  value:
                    revoked.cause === 'admin' ? revoked.reason : t(`certificate.causes.${revoked.cause}`),
                },
              ]
            : []),
        ]}
      />
      {isRevoking && (
        <RevokeDialog call={call} id={order._id} code={code} onClose={() => setRevoking(false)} />
      )}
    </Section>
  );
}

function RevokeDialog(props: { call: PortalCall; id: string; code: string; onClose: () => void }) {
  const { call, id, code, onClose } = props;
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const isEmpty = reason.trim() === '';
  const revoking = useMutation({
    mutationFn: () =>
      call('POST /api/admin/certificates/{code}/revoke', {
        params: { code },
        body: { reason: reason.trim() },
      }),
    onSuccess: ({ order }) => {
      queries.setQueryData(KEYS.part(id, 'details'), order);
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KEYS.order(id) }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!isEmpty && !revoking.isPending) revoking.mutate();
  };
  return (
    <Dialog open onClose={onClose} title={t('certificate.revokeTitle', { code })}>
      <form className={styles.form} noValidate onSubmit={submit}>
        <p>{t('certificate.revokeText')}</p>
        <TextField
          label={t('certificate.reason')}
          hint={t('certificate.reasonHint')}
          rows={2}
          maxLength={500}
          value={reason}
          error={asked && isEmpty && t('certificate.noReason')}
          onChange={(event) => setReason(event.target.value)}
        />
        {revoking.error && (
          <Alert kind="wrong">
            {problemText(revoking.error, {
              failed: t('certificate.failed'),
              network: t('certificate.failed'),
            })}
          </Alert>
        )}
        <div className={styles.acts}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button
            type="submit"
            look="solid-destructive"
            working={revoking.isPending && t('certificate.revoking')}
          >
            {t('certificate.revokeForGood')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
