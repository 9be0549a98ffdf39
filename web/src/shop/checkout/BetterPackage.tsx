import { betterPackage } from '@arboleda/contracts/packages.ts';
import { useTranslation } from 'react-i18next';
import type { PackagePrices } from '../../api/package-prices.ts';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import { changeDraft } from '../../order/purchase/draft.ts';
import type { Total } from './selection.ts';
import styles from './PackageChoice.module.css';

interface Props {
  prices: PackagePrices;
  /** Total of a count that can be bought. */
  total: Total;
  /** Called with the value of the package's radio, which gets the focus: the pressed button disappears. */
  onTaken: (packageType: string) => void;
}

/** Tells buyers of a package with more trees that costs no more than their own number, and takes it. */
export function BetterPackage({ prices, total, onTaken }: Props) {
  const { t } = useTranslation('checkout');
  const formats = useFormats();
  const better = betterPackage(total.trees, prices.exchangeRate, prices.currency);
  if (!better) return null;
  const { packageType, trees, amountMinor, isCheaper } = better;
  const isSameCount = trees === total.trees;
  const sentence = isSameCount ? 'better.sameCount' : isCheaper ? 'better.less' : 'better.same';
  const name = t(`packages.${packageType}.name`);
  return (
    <div className={styles.better}>
      <p className="small" role="status">
        {t(sentence, {
          count: trees,
          trees: formats.number(trees),
          typed: formats.number(total.trees),
          amount: formats.money(amountMinor, prices.currency),
          ownAmount: formats.money(total.amountMinor, prices.currency),
          name,
        })}
      </p>
      <Button
        size="small"
        onClick={() => {
          changeDraft({ packageType });
          onTaken(packageType);
        }}
      >
        {t('better.take', { count: trees, trees: formats.number(trees) })}
      </Button>
    </div>
  );
}
