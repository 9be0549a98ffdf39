import { PACKAGE_TYPES, type PackageType } from '@arboleda/contracts/packages.ts';
import { useEffect, useId, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { PackagePrices } from '../../api/package-prices.ts';
import { packageCustom, packageGrove, packageIndividual, packagePatch } from '../../art/scenes.ts';
import { Picture } from '../../design/components/Picture.tsx';
import { BetterPackage } from './BetterPackage.tsx';
import { changeDraft, currentDraft, useDraft } from '../../order/purchase/draft.ts';
import { PackagePrice } from './PackagePrice.tsx';
import { countProblem, totalOf } from './selection.ts';
import { TreeCount } from './TreeCount.tsx';
import styles from './PackageChoice.module.css';

const DRAWING_OF = {
  individual: packageIndividual,
  grove: packageGrove,
  patch: packagePatch,
  custom: packageCustom,
};

interface Props {
  prices: PackagePrices | undefined;
  locked: boolean;
  ref: RefObject<HTMLFieldSetElement | null>;
}

export function PackageChoice({ prices, locked, ref }: Props) {
  const { t } = useTranslation('checkout');
  // A choice made in the prerendered page before hydration.
  useEffect(() => {
    const early = ref.current?.querySelector<HTMLInputElement>('input[type=radio]:checked')?.value;
    if (early && !currentDraft().packageType) changeDraft({ packageType: early as PackageType });
  }, [ref]);
  return (
    <fieldset ref={ref} disabled={locked}>
      <legend className="visually-hidden">{t('choose')}</legend>
      <div className={styles.cards}>
        {PACKAGE_TYPES.map((packageType) => (
          <PackageCard
            key={packageType}
            packageType={packageType}
            prices={prices}
            onTaken={(taken) => ref.current?.querySelector<HTMLElement>(`input[value=${taken}]`)?.focus()}
          />
        ))}
      </div>
    </fieldset>
  );
}

function PackageCard({
  packageType,
  prices,
  onTaken,
}: {
  packageType: PackageType;
  prices: PackagePrices | undefined;
  onTaken: (packageType: string) => void;
}) {
  const { t } = useTranslation('checkout');
  const draft = useDraft();
  const id = useId();
  const chosen = draft.packageType === packageType;
  const choose = () => changeDraft({ packageType });
  const total = prices && totalOf({ packageType, customTrees: draft.customTrees }, prices);
  // Also for a number that was typed before the app could choose this card.
  const asksForNumber = packageType === 'custom' && (chosen || !draft.packageType);
  const isImpossible = countProblem({ packageType, customTrees: draft.customTrees }) !== undefined;
  return (
    <div className={`${styles.card} ${chosen ? styles.chosen : ''}`}>
      <Picture
        className={styles.drawing}
        scene={DRAWING_OF[packageType]}
        alt=""
        sizes="(max-width: 959px) 88px, 280px"
        first
      />
      <div className={styles.words}>
        <div className={styles.title}>
          <label className={styles.name} htmlFor={id}>
            {t(`packages.${packageType}.name`)}
          </label>
          <input
            id={id}
            className={styles.radio}
            type="radio"
            name="package"
            value={packageType}
            checked={chosen}
            aria-describedby={`${id}-price`}
            onChange={choose}
          />
        </div>
        {packageType === 'custom' ? (
          <TreeCount total={total} onUse={choose} />
        ) : (
          <p className={`small quiet ${styles.trees}`}>{t(`packages.${packageType}.trees`)}</p>
        )}
        <div className={styles.prices}>
          <PackagePrice
            id={`${id}-price`}
            packageType={packageType}
            total={total}
            isImpossible={isImpossible}
          />
          {asksForNumber && prices && total && !isImpossible && (
            <BetterPackage prices={prices} total={total} onTaken={onTaken} />
          )}
        </div>
      </div>
    </div>
  );
}
