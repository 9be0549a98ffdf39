import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldError } from '../../design/components/Field.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { minus, plus } from '../../design/components/icons.ts';
import { changeDraft, useDraft } from './draft.ts';
import { countProblem, DEFAULT_CUSTOM_TREES, parseTrees } from './selection.ts';
import { useMaxTreesText } from './use-max-trees-text.ts';
import styles from './TreeCount.module.css';

export function TreeCount({ onUse }: { onUse: () => void }) {
  const { t } = useTranslation('checkout');
  const atMost = useMaxTreesText();
  const { customTrees } = useDraft();
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const problem = countProblem({ packageType: 'custom', customTrees });
  const set = (typed: string) => {
    changeDraft({ customTrees: typed });
    onUse();
  };
  // Adopts a number typed into the prerendered page. An untouched value is ignored, because input during hydration is
  // already in the draft.
  useEffect(() => {
    const typed = input.current?.value;
    if (typed !== undefined && typed !== DEFAULT_CUSTOM_TREES) changeDraft({ customTrees: typed });
  }, []);
  const step = (by: number) => set(String(Math.max(1, parseTrees(customTrees) + by)));
  return (
    <div className={styles.count}>
      <div className={`${styles.box} ${problem ? styles.wrong : ''}`}>
        <button type="button" aria-label={t('fewer')} onClick={() => step(-1)}>
          <Icon of={minus} size="small" />
        </button>
        <input
          ref={input}
          className={styles.input}
          inputMode="numeric"
          autoComplete="off"
          aria-label={t('count')}
          aria-invalid={problem ? true : undefined}
          aria-describedby={errorId}
          value={customTrees}
          onChange={(event) => set(event.target.value)}
          onBlur={() => changeDraft({ customTrees: String(parseTrees(customTrees)) })}
        />
        <button type="button" aria-label={t('more')} onClick={() => step(1)}>
          <Icon of={plus} size="small" />
        </button>
      </div>
      <FieldError id={errorId}>
        {problem && (problem === 'at-least-one' ? t('atLeastOne') : atMost)}
      </FieldError>
    </div>
  );
}
