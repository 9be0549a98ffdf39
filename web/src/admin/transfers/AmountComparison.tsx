import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';

import { Money } from '../../design/components/Money.tsx';
import { check, warning } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { readAmount } from '../../i18n/typed-numbers.ts';
import { Mark } from '../shared/Mark.tsx';
import shared from '../shared/shared.module.css';
import field from './AmountComparison.module.css';
import styles from './Review.module.css';
import type { Transfer } from './transfers.ts';

/**
 * Parses the received amount to minor units; undefined when invalid. Three digits after a single separator are
 * thousands in both languages; the expected amount beside it exposes a misreading.
 */
export const parseAmount = (typed: string, currency: string): number | undefined =>
  readAmount(typed, currency) as number | undefined;

type Verdict = { kind: 'same' } | { kind: 'less' | 'more'; byMinor: number };

export function compareAmounts(expectedMinor: number, receivedMinor: number): Verdict {
  if (expectedMinor === receivedMinor) return { kind: 'same' };
  return receivedMinor < expectedMinor
    ? { kind: 'less', byMinor: expectedMinor - receivedMinor }
    : { kind: 'more', byMinor: receivedMinor - expectedMinor };
}

interface Props {
  transfer: Transfer;
  received: string;
  onReceived: (typed: string) => void;
}

export function AmountComparison({ transfer, received, onReceived }: Props) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const id = useId();
  const { amount, currency, manualPayment } = transfer;
  const { verificationStatus, approval, firstApproval, referenceNumber, referenceOrigin } = manualPayment;
  const noted = (approval ?? firstApproval)?.amountReceived;
  const isOpen = verificationStatus === 'pending';
  const minor = isOpen ? parseAmount(received, currency) : noted;
  return (
    <section>
      <h3 className={shared.heading}>{t('review.side')}</h3>
      <table className={styles.table}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('review.expected')}</th>
            <th scope="col">{t('review.received')}</th>
            <th scope="col">{t('review.verdict')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">
              {isOpen ? <label htmlFor={id}>{t('review.amountReceived')}</label> : t('facts.amount')}
            </th>
            <td data-label={t('review.expected')}>
              <Money amountMinor={amount} currency={currency} />
            </td>
            <td>
              {isOpen ? (
                <>
                  <input
                    id={id}
                    className={field.amount}
                    inputMode="decimal"
                    autoComplete="off"
                    maxLength={40}
                    value={received}
                    aria-describedby={`${id}-verdict`}
                    onChange={(event) => onReceived(event.target.value)}
                  />
                  {noted !== undefined && (
                    <span className="quiet">
                      {t('review.firstFound', { amount: formats.money(noted, currency) })}
                    </span>
                  )}
                </>
              ) : (
                <span className="tabular">
                  {noted === undefined ? t('review.notNoted') : formats.money(noted, currency)}
                </span>
              )}
            </td>
            <td id={`${id}-verdict`} aria-live="polite" className={styles.verdict}>
              {isOpen && received.trim() === '' ? (
                <Button
                  look="text"
                  size="small"
                  onClick={() => onReceived(majorText(amount, currency, formats))}
                >
                  {t('review.asExpected')}
                </Button>
              ) : (
                <AmountVerdict expected={amount} received={minor} currency={currency} isTyped={isOpen} />
              )}
            </td>
          </tr>
          <tr>
            <th scope="row">{t('facts.reference')}</th>
            <td data-label={t('review.expected')}>
              {referenceOrigin === 'ours' ? (
                referenceNumber
              ) : (
                <span className="quiet">{t('review.oneOfOurs')}</span>
              )}
            </td>
            <td>{referenceNumber ?? <span className="quiet">{t('review.notGiven')}</span>}</td>
            <td className={styles.verdict}>
              <ReferenceVerdict manualPayment={manualPayment} />
            </td>
          </tr>
          <tr>
            <th scope="row">{t('review.onStatement')}</th>
            <td colSpan={3}>
              <OnStatement statement={manualPayment.statement} />
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}

/** The transfer's rows on the bank's statement. */
function OnStatement({ statement: { rows, lastDay } }: Pick<Transfer['manualPayment'], 'statement'>) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  if (rows.length === 0)
    return (
      <span className="quiet">
        {lastDay === undefined
          ? t('review.statementNone')
          : t('review.statementNotYet', { day: formats.calendarDay(lastDay) })}
      </span>
    );
  return rows.map(({ rowId, day, amount, currency }) => (
    <Mark key={rowId} as="p" icon={check} tone="leaf">
      {t('review.statementYes', {
        day: formats.calendarDay(day),
        amount: formats.money(amount, currency),
      })}
    </Mark>
  ));
}

/** The number without its currency, in the reader's format. */
const majorText = (minor: number, currency: string, formats: ReturnType<typeof useFormats>): string =>
  formats.money(minor, currency).replace(/^[A-Z]{3}\u00a0/, '');

interface VerdictProps {
  expected: number;
  received: number | undefined;
  currency: string;
  isTyped: boolean;
}

function AmountVerdict({ expected, received, currency, isTyped }: VerdictProps) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  if (received === undefined) return isTyped ? <Bad text={t('review.noAmount')} /> : null;
  const verdict = compareAmounts(expected, received);
  if (verdict.kind === 'same') return <Same />;
  return <Bad text={t(`review.${verdict.kind}`, { amount: formats.money(verdict.byMinor, currency) })} />;
}

function ReferenceVerdict({ manualPayment: { referenceOrigin, flags } }: Pick<Transfer, 'manualPayment'>) {
  const { t } = useTranslation('panels');
  const isReused = flags.some(({ type }) => type === 'reference-used-before');
  return (
    <>
      {referenceOrigin === 'ours' && !isReused && <Same />}
      {referenceOrigin === 'mistyped' && <Bad text={t('transfers.flags.reference-mistyped')} />}
      {referenceOrigin === 'other' && <Bad text={t('review.notOurs')} />}
      {isReused && <Bad text={t('transfers.flags.reference-used-before')} />}
    </>
  );
}

function Same() {
  const { t } = useTranslation('panels');
  return (
    <Mark icon={check} tone="leaf">
      {t('review.same')}
    </Mark>
  );
}

const Bad = ({ text }: { text: string }) => (
  <Mark icon={warning} tone="brick">
    {text}
  </Mark>
);
