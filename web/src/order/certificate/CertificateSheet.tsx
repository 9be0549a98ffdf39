import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Facts } from '../../design/components/Facts.tsx';
import { photoAddress } from '../../design/components/photo.ts';
import { useFormats } from '../../i18n/format.ts';
import { Logo } from '../../layout/Logo.tsx';
import type { Certificate } from './certificates.ts';
import styles from './certificates.module.css';

/** Shows a version of a certificate, framed as on paper. */
export function CertificateSheet({ certificate }: { certificate: Certificate }) {
  const { t } = useTranslation('certificate');
  const formats = useFormats();
  const { trees, name, state, place, plantedBy, completedOn, growthUpdates, lastGrowthUpdateOn } =
    certificate;
  const rows = [
    { label: t('sheet.place'), value: place },
    { label: t('sheet.plantedOn'), value: formats.calendarDay(certificate.plantedOn) },
    { label: t('sheet.plantedBy'), value: plantedBy },
    { label: t('sheet.completedOn'), value: completedOn && formats.calendarDay(completedOn) },
    {
      label: t('sheet.growth'),
      value: lastGrowthUpdateOn
        ? t('sheet.growthLast', { count: growthUpdates, day: formats.calendarDay(lastGrowthUpdateOn) })
        : undefined,
    },
    { label: t('sheet.code'), value: certificate.code },
    {
      label: t('sheet.version'),
      value: t('sheet.versionIssued', {
        version: formats.number(certificate.version),
        day: formats.day(certificate.issuedAt),
      }),
    },
    { label: t('sheet.issuer'), value: certificate.issuer },
  ];
  return (
    <section aria-labelledby="sheet-title" className={styles.sheet}>
      <div className={styles.words}>
        <Logo name="Arboleda" />
        <p className={styles.kind}>{t('sheet.title')}</p>
        <h2 id="sheet-title" className="section-title">
          {t('sheet.trees', { count: trees })}
        </h2>
        {state === 'valid' && (
          <p className={name ? styles.name : 'quiet'} dir={name ? 'auto' : undefined}>
            {name ? t('sheet.for', { name }) : t('sheet.nobody')}
          </p>
        )}
      </div>
      {certificate.photo && <Photo filename={certificate.photo} />}
      <div className={styles.facts}>
        <Facts rows={rows.filter(({ value }) => value)} />
      </div>
    </section>
  );
}

function Photo({ filename }: { filename: string }) {
  const { t } = useTranslation('certificate');
  const [failed, setFailed] = useState(false);
  if (failed) return null;
  return (
    <img
      className={styles.photo}
      src={photoAddress({ filename }, 800)}
      srcSet={[800, 1600].map((width) => `${photoAddress({ filename }, width as 800)} ${width}w`).join(', ')}
      sizes="(max-width: 799px) 100vw, 520px"
      width="800"
      height="600"
      alt={t('sheet.photo')}
      onError={() => setFailed(true)}
    />
  );
}
