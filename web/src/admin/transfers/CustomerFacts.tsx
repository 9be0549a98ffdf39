import { bankNameOf } from '@arboleda/contracts/payment-method.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/languages.ts';
import { useFormats } from '../../i18n/format.ts';
import shared from '../shared/shared.module.css';
import styles from './Review.module.css';
import type { Transfer } from './transfers.ts';

/** Customer and payment details: product spec section 2. */
export function CustomerFacts({ transfer }: { transfer: Transfer }) {
  const { t, i18n } = useTranslation('desk');
  const formats = useFormats();
  const { customerName, customerEmail, customerPhone, customerCountry, manualPayment } = transfer;
  const notGiven = t('review.notGiven');
  return (
    <>
      <Section
        title={t('review.customer')}
        rows={[
          [t('facts.name'), customerName],
          [
            t('facts.email'),
            <a key="email" href={`mailto:${customerEmail}`}>
              {customerEmail}
            </a>,
          ],
          [t('facts.phone'), customerPhone ?? notGiven],
          [t('facts.country'), customerCountry ? countryName(customerCountry, i18n.language) : notGiven],
        ]}
      />
      <Section
        title={t('review.payment')}
        rows={[
          [t('facts.method'), t(`methods.${transfer.method.kind}`, { bank: bankNameOf(transfer.method) })],
          [t('facts.amount'), formats.money(transfer.amount, transfer.currency)],
          [
            t('facts.trees'),
            t('review.treesOf', {
              trees: formats.number(transfer.trees),
              package: t(`packages.${transfer.packageType}`),
            }),
          ],
          [t('facts.date'), `${formats.day(transfer.createdAt)}, ${formats.time(transfer.createdAt)}`],
          [t('facts.reference'), manualPayment.referenceNumber ?? notGiven],
          [t('facts.verification'), t(`transfers.verification.${manualPayment.verificationStatus}`)],
        ]}
      />
    </>
  );
}

function Section({ title, rows }: { title: string; rows: [label: string, value: ReactNode][] }) {
  return (
    <section className={styles.section}>
      <h3 className={shared.heading}>{title}</h3>
      <dl className={styles.person}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function countryName(code: string, language: string): string {
  try {
    return new Intl.DisplayNames(localeOf(language), { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
