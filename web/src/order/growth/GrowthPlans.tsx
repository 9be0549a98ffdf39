import type { Currency } from '@arboleda/contracts/countries.ts';
import { localise, pieceMinor } from '@arboleda/contracts/money.ts';
import { BASE_CURRENCY } from '@arboleda/contracts/packages.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfig } from '../../api/config.ts';
import { usePackagePrices } from '../../api/packages.ts';
import { useChosenCurrency } from '../../api/use-currency.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { GrowthSchedule } from '../../design/components/GrowthSchedule.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { sealPercent } from '../../design/components/icons.ts';
import { Money } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';
import { datesInWords } from './dates-in-words.ts';
import styles from './growth.module.css';
import { type Plan, plansOf } from './plans.ts';
import { PlansSkeleton } from './PlansSkeleton.tsx';
import { axisAfterPlanting, axisOfYears, visitDates } from './schedule.ts';

interface Props {
  /** Currency of the order. */
  currency: Currency;
  plantingDate: string | undefined;
  trees: number;
  action: (plan: Plan, name: string) => ReactNode;
}

export function GrowthPlans(props: Props) {
  const { t } = useTranslation('growth');
  const { t: common } = useTranslation();
  const { data: config, isError, refetch } = useConfig();
  if (isError) {
    return (
      <Alert kind="offline" action={<Button onClick={() => void refetch()}>{common('tryAgain')}</Button>}>
        {t('notLoaded')}
      </Alert>
    );
  }
  if (!config) return <PlansSkeleton label={t('loading')} />;
  const plans = plansOf(config.photoPackages);
  if (plans.length === 0) return <p>{t('notOffered')}</p>;
  return <Offer plans={plans} {...props} />;
}

function Offer({ plans, currency, plantingDate, trees, action }: Props & { plans: readonly Plan[] }) {
  const { t, i18n } = useTranslation('growth');
  const formats = useFormats();
  const { money } = formats;
  const [now] = useState(() => new Date());
  const chosen = useChosenCurrency();
  const readIn = chosen ?? currency;
  const dates = (plan: Plan) => visitDates(plan.months, plantingDate, now);
  const known = plans.flatMap((plan) => dates(plan) ?? []);
  const years = known.length > 0 ? axisOfYears(known) : undefined;
  const counted = axisAfterPlanting((number) => t('yearAfter', { number }));
  const rows = plans.map((plan) => {
    const { type, price, saving, popular, months } = plan;
    const name = t(`${type}.name`);
    const visits = dates(plan);
    const percent = formats.percent(saving);
    return {
      key: type,
      title: name,
      detail: price
        ? t(`${type}.detail`, {
            unit: money(pieceMinor(price.amount, months.length, price.currency), price.currency),
          })
        : t(`${type}.bare`),
      note: saving > 0 && (
        <>
          <Icon of={sealPercent} size="small" />
          {t(popular ? 'popularSave' : 'save', { percent })}
        </>
      ),
      marks: (visits && years ? visits.map(years.place) : months.map(counted.place)).map((at) => ({
        at,
        state: 'offered' as const,
      })),
      words: visits ? datesInWords(visits, i18n.language, t) : t(`${type}.unplanted`),
      price: price ? (
        <Price price={price} readIn={readIn} />
      ) : (
        <span className={styles.priceLater}>{t('priceLater')}</span>
      ),
      action: action(plan, name),
    };
  });
  return (
    <>
      <GrowthSchedule label={t('plans')} ticks={(years ?? counted).ticks} rows={rows} />
      <p className={`small quiet ${styles.counted}`}>
        {plantingDate ? t('counted.planted') : t('counted.unplanted', { count: trees })}
      </p>
      {plans.some(({ price }) => price?.currency === BASE_CURRENCY) && (
        <p className={`small quiet ${styles.counted}`}>
          {readIn === BASE_CURRENCY ? t('dollars') : t('dollarsConverted')}
        </p>
      )}
    </>
  );
}

/** The charged price of the payment provider, and about how much that is in the reader's currency. */
function Price({ price, readIn }: { price: NonNullable<Plan['price']>; readIn: Currency }) {
  return (
    <>
      <Money amountMinor={price.amount} currency={price.currency} size="inherit" />
      {price.currency === BASE_CURRENCY && readIn !== BASE_CURRENCY && (
        <About amountCents={price.amount} readIn={readIn} />
      )}
    </>
  );
}

/** Nothing while the rate is unknown or too old. */
function About({ amountCents, readIn }: { amountCents: number; readIn: Currency }) {
  const { t } = useTranslation('growth');
  const formats = useFormats();
  const { data: prices } = usePackagePrices(readIn);
  if (prices?.currency !== readIn) return null;
  const amount = formats.money(localise(amountCents, prices.exchangeRate, readIn), readIn);
  return <span className={styles.about}>{t('about', { amount })}</span>;
}
