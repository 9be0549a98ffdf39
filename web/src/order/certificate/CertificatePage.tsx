import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { isProblem } from '../../api/problem.ts';
import { useOnline } from '../../api/use-online.ts';
import { usePage } from '../../layout/use-page.ts';
import work from '../../art/sp-work.svg';
import { Button, ButtonLink } from '../../design/components/Button.tsx';
import { CopyButton } from '../../design/components/CopyButton.tsx';
import { EmptyState } from '../../design/components/EmptyState.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { checkCircle, warning } from '../../design/components/icons.ts';
import { SkeletonBlock, SkeletonFrame } from '../../design/components/Skeleton.tsx';
import { useFormats } from '../../i18n/format.ts';
import { PublicLayout } from '../../layout/PublicLayout.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import { PdfDownload, RevocationReason } from './CertificateActions.tsx';
import { type Certificate, certificateLink, typedCode, useCertificate } from './certificates.ts';
import { CertificateSheet } from './CertificateSheet.tsx';
import styles from './certificates.module.css';
import { CodeForm } from './CodeForm.tsx';

/** Whether a certificate is valid, and what it says, for anyone with its code. */
export function CertificatePage() {
  const { t } = useTranslation('certificate');
  const { code: typed = '' } = useParams();
  const code = typedCode(typed);
  const isMistyped = code === 'mistyped';
  const query = useCertificate(isMistyped ? undefined : code);
  usePage(`${isMistyped ? t('verify.title') : t('pageTitle', { code })} · Arboleda`);
  return (
    <PublicLayout>
      <div className={`container ${styles.page}`}>
        {isMistyped || isProblem(query.error, 'certificate-mistyped') ? (
          <NotFound kind="mistyped" typed={typed} />
        ) : isProblem(query.error, 'certificate-unknown') ? (
          <NotFound kind="unknown" typed={code} />
        ) : query.data ? (
          <Found certificate={query.data} />
        ) : (
          <NotLoaded query={query} />
        )}
      </div>
    </PublicLayout>
  );
}

function NotFound({ kind, typed }: { kind: 'mistyped' | 'unknown'; typed: string }) {
  const { t } = useTranslation('certificate');
  return (
    <>
      <Verdict kind="wrong" title={t(`${kind}.title`)}>
        <p className="lead">{t(`${kind}.text`)}</p>
      </Verdict>
      <CodeForm key={typed} typed={typed} />
      <p className={styles.usePdf}>
        <ButtonLink to="/verify" look="text">
          {t('usePdf')}
        </ButtonLink>
      </p>
    </>
  );
}

function Verdict({ kind, title, children }: { kind: 'good' | 'wrong'; title: string; children: ReactNode }) {
  return (
    <header className={`${styles.head} ${styles[kind]}`}>
      <Icon of={kind === 'good' ? checkCircle : warning} size="large" />
      <h1 className="page-title">{title}</h1>
      {children}
    </header>
  );
}

function Found({ certificate }: { certificate: Certificate }) {
  const { t } = useTranslation('certificate');
  const { code, state } = certificate;
  return (
    <>
      {state === 'valid' && <Valid certificate={certificate} />}
      {state === 'superseded' && <Superseded certificate={certificate} />}
      {state === 'revoked' && <Revoked certificate={certificate} />}
      {state !== 'revoked' && <CertificateSheet certificate={certificate} />}
      <section aria-labelledby="check-title" className={styles.check}>
        <h2 id="check-title" className="sub-title">
          {t('check.title')}
        </h2>
        {state !== 'revoked' && <p>{t('check.text')}</p>}
        <p>{t('check.software')}</p>
        <p className={styles.links}>
          <a href={`/api/certificates/${code}/credential`}>{t('check.credential')}</a>
          <a href="/.well-known/did.json">{t('check.keys')}</a>
        </p>
        <p>
          <ButtonLink to="/verify">{t('check.another')}</ButtonLink>
        </p>
      </section>
    </>
  );
}

function Valid({ certificate: { code, issuer } }: { certificate: Certificate }) {
  const { t } = useTranslation('certificate');
  return (
    <Verdict kind="good" title={t('valid.title')}>
      <p className="lead">{t('valid.text', { issuer })}</p>
      <div className={styles.actions}>
        <PdfDownload code={code} />
        <CopyButton text={certificateLink(code)} label={t('copyLink')} icon="link" />
      </div>
    </Verdict>
  );
}

function Superseded({ certificate: { version, issuedAt, newest } }: { certificate: Certificate }) {
  const { t } = useTranslation('certificate');
  const formats = useFormats();
  return (
    <Verdict kind="wrong" title={t('superseded.title')}>
      <p className="lead">
        {t('superseded.text', { version: formats.number(version), day: formats.day(issuedAt) })}
      </p>
      {newest && (
        <div className={styles.actions}>
          <ButtonLink to={`/c/${newest.code}`} look="accent">
            {t('superseded.open', { version: formats.number(newest.version) })}
          </ButtonLink>
        </div>
      )}
    </Verdict>
  );
}

function Revoked({ certificate: { code, revoked } }: { certificate: Certificate }) {
  const { t } = useTranslation('certificate');
  const formats = useFormats();
  return (
    <Verdict kind="wrong" title={t('revoked.title')}>
      <p className="lead">
        {t('revoked.text', { code })} {revoked && t('revoked.on', { day: formats.day(revoked.at) })}
      </p>
      {revoked && <RevocationReason revoked={revoked} />}
    </Verdict>
  );
}

function NotLoaded({ query }: { query: ReturnType<typeof useCertificate> }) {
  const { t } = useTranslation('certificate');
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const online = useOnline();
  if (query.isPending && online)
    return (
      <>
        <h1 className="visually-hidden">{t('sheet.title')}</h1>
        <CertificateSkeleton label={common('loading')} />
      </>
    );
  return (
    <>
      <h1 className="visually-hidden">{t('sheet.title')}</h1>
      <EmptyState
        drawing={work}
        title={t('failed.title')}
        action={<Button onClick={() => void query.refetch()}>{common('tryAgain')}</Button>}
      >
        {problemText(query.error, { failed: t('failed.text'), network: t('failed.text') })}
      </EmptyState>
    </>
  );
}

/** Placeholder in the shape of a certificate: the verdict, and the sheet below it. */
function CertificateSkeleton({ label }: { label: string }) {
  return (
    <SkeletonFrame label={label} className={styles.skeleton}>
      <SkeletonBlock className={styles.skeletonTitle} />
      <SkeletonBlock className={styles.skeletonText} />
      <SkeletonBlock className={styles.skeletonSheet} />
    </SkeletonFrame>
  );
}
