import { ERASED_CUSTOMER, isPlanted } from '@arboleda/contracts/order.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client.ts';
import type { PublicOrder } from '../../api/order.ts';
import { isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button, ButtonLink } from '../../design/components/Button.tsx';
import { CopyButton } from '../../design/components/CopyButton.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { arrowRight, pencil } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { useSession } from '../../session/session.ts';
import { CertificateForm, type Wanted } from './CertificateForm.tsx';
import { PdfDownload, RevocationReason, SharePicture } from './CertificateActions.tsx';
import { type Certificate, certificateLink, type CertifiedOrder, useCertificate } from './certificates.ts';
import styles from './certificates.module.css';

type OwnCertificate = NonNullable<PublicOrder['certificate']> & { name?: string | null | undefined };

/** The certificate of an order, for its buyer: how to get it, and what to do with it. */
export function OrderCertificate({ order }: { order: CertifiedOrder }) {
  const { t } = useTranslation('certificate');
  const [isOpen, setOpen] = useState(false);
  const issuing = useIssuing(order, () => setOpen(false));
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed button is gone.
    if (issuing.data) box.current?.focus({ preventScroll: true });
  }, [issuing.data]);
  const issued = newestOf(order.certificate, issuing.data);
  const { data: details } = useCertificate(issued?.state === 'valid' ? issued.code : undefined);
  // Private links are shared, so the order does not say the name; who has the code may read it.
  const certificate = issued && { ...issued, name: issued.name === undefined ? details?.name : issued.name };
  const isErased = order.customerName === ERASED_CUSTOMER.name;
  const isForGood = certificate?.state === 'revoked' && certificate.revoked?.cause === 'admin';
  const mayIssue = isPlanted(order.status) && !order.withdrawn && !isErased && !isForGood;
  const form = mayIssue && isOpen && (
    <CertificateForm
      order={order}
      certificate={certificate}
      asksEmail={!issuing.isOwn}
      issuing={issuing}
      onCancel={() => {
        setOpen(false);
        box.current?.focus({ preventScroll: true });
      }}
    />
  );
  if (certificate) {
    return (
      <div ref={box} tabIndex={-1} className={styles.own}>
        {issuing.isSuccess && !isOpen && <Alert kind="good">{t('own.done')}</Alert>}
        <Card certificate={certificate} details={details} />
        {form}
        {mayIssue && !isOpen && (
          <Button icon={pencil} onClick={() => setOpen(true)}>
            {t('own.change')}
          </Button>
        )}
      </div>
    );
  }
  return (
    <div ref={box} tabIndex={-1} className={styles.own}>
      <p>
        {t(isPlanted(order.status) ? (isErased ? 'own.erased' : 'own.lead') : 'own.ahead', {
          count: order.trees,
        })}
      </p>
      {form}
      {mayIssue && !isOpen && <Button onClick={() => setOpen(true)}>{t('own.get')}</Button>}
    </div>
  );
}

/** The certificate just issued, until the order is loaded again. A revocation takes precedence. */
function newestOf(
  known: OwnCertificate | undefined,
  issued: OwnCertificate | undefined,
): OwnCertificate | undefined {
  if (!known || !issued) return known ?? issued;
  return known.state === 'revoked' || known.version > issued.version ? known : issued;
}

/** Issues or changes the certificate. A guest proves to be the buyer by the order's email address. */
function useIssuing(order: CertifiedOrder, onDone: () => void) {
  const session = useSession('customer');
  const queries = useQueryClient();
  const problemText = useProblemText();
  const { t } = useTranslation('certificate');
  const [isNotTheirs, setNotTheirs] = useState(false);
  const isOwn = session.state === 'in' && !isNotTheirs;
  const { mutate, data, error, isPending, isSuccess } = useMutation({
    mutationFn: async ({ name, language, email }: Wanted) => {
      const answer = isOwn
        ? await session.call('POST /api/customers/orders/{id}/certificate', {
            params: { id: order._id },
            body: { name, language },
          })
        : await call('POST /api/track/{token}/certificate', {
            params: { token: order.token },
            body: { name, language, email },
          });
      return answer.certificate;
    },
    onSuccess: () => {
      for (const queryKey of [
        ['order', order.token],
        ['customer', 'orders'],
        ['customer', 'gifts'],
        ['gift', order.token],
      ])
        void queries.invalidateQueries({ queryKey });
      onDone();
    },
    onError: (failure) => {
      if (isOwn && isProblem(failure, 'not-found')) setNotTheirs(true);
    },
  });
  const failed = { failed: t('own.failed'), network: t('own.failed'), marked: ['name', 'email'] };
  const problem = isProblem(error, 'not-found')
    ? t('own.notYours')
    : error
      ? problemText(error, failed)
      : undefined;
  return { isOwn, data, error, problem, isPending, isSuccess, mutate };
}

function Card({ certificate, details }: { certificate: OwnCertificate; details: Certificate | undefined }) {
  const { t } = useTranslation('certificate');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const { code, version, state, issuedAt, language, revoked, name } = certificate;
  return (
    <div className={styles.card}>
      <p className={styles.code}>{code}</p>
      {state === 'revoked' && (
        <>
          <p>
            {t('revoked.title')} {revoked && t('revoked.on', { day: formats.day(revoked.at) })}
          </p>
          {revoked && <RevocationReason revoked={revoked} />}
        </>
      )}
      <Facts
        rows={[
          ...(name === undefined ? [] : [{ label: t('own.nameShown'), value: name ?? t('own.noName') }]),
          {
            label: t('sheet.version'),
            value: t('sheet.versionIssued', {
              version: formats.number(version),
              day: formats.day(issuedAt),
            }),
          },
          { label: t('own.language'), value: common(`language.${asLanguage(language) ?? 'en'}`) },
        ]}
      />
      {state === 'valid' && (
        <div className={styles.actions}>
          <PdfDownload code={code} />
          {details && <SharePicture certificate={details} />}
          <CopyButton text={certificateLink(code)} label={t('copyLink')} icon="link" />
          <ButtonLink to={`/c/${code}`} icon={arrowRight}>
            {t('own.open')}
          </ButtonLink>
        </div>
      )}
    </div>
  );
}
