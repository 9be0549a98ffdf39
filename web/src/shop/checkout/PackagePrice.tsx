import {
  BASE_CURRENCY,
  CUSTOM_DEFAULT_TREES,
  FIXED_PACKAGES,
  type PackageType,
  priceOf,
} from '@arboleda/contracts/packages.ts';
import { useTranslation } from 'react-i18next';
import { MoneyFigure } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Live, LIVE_MARK, LiveSentence } from '../first/Live.tsx';
import { amountTexts, liveName } from './live-prices.ts';
import type { Total } from './selection.ts';
import styles from './PackageChoice.module.css';

interface Props {
  id: string;
  packageType: PackageType;
  /** Absent until prices load; the layout stays the same. */
  total: Total | undefined;
  /** The count is none that can be bought, so that it has no price. */
  isImpossible?: boolean;
}

/** Price of a count that cannot be bought. */
export const NO_PRICE = '–';

/** Price, effect per tree and saving of a package; fill-prices.ts fills it in before hydration. */
export function PackagePrice({ id, packageType, total, isImpossible = false }: Props) {
  const { t } = useTranslation('checkout');
  const { code, figure, each, saving } = amountTexts(
    isImpossible ? undefined : total,
    useFormats(),
    isImpossible ? NO_PRICE : undefined,
  );
  const name = (amount: Parameters<typeof liveName>[1]) => liveName(packageType, amount);
  const trees = total?.trees ?? treesAtFirst(packageType);
  return (
    <div id={id} className={styles.price}>
      <MoneyFigure
        code={<Live name={name('code')}>{code}</Live>}
        figure={<Live name={name('figure')}>{figure}</Live>}
        size="large"
      />
      {trees > 1 && (
        <p className="small quiet tabular">
          <LiveSentence name={name('each')} sentence={t('each', { amount: LIVE_MARK })} value={each} />
        </p>
      )}
      {saves(packageType, total) && (
        <p className={`small ${styles.saving}`}>
          <LiveSentence name={name('saving')} sentence={t('save', { amount: LIVE_MARK })} value={saving} />
        </p>
      )}
    </div>
  );
}

const treesAtFirst = (packageType: PackageType): number =>
  packageType === 'custom' ? CUSTOM_DEFAULT_TREES : FIXED_PACKAGES[packageType].trees;

/** Whether a package saves money is the same in every currency. */
function saves(packageType: PackageType, total: Total | undefined): boolean {
  if (total) return total.savingMinor > 0;
  if (packageType === 'custom') return false;
  return priceOf(packageType, treesAtFirst(packageType), 1, BASE_CURRENCY)!.savingMinor > 0;
}
