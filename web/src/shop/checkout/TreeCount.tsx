import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldError } from '../../design/components/Field.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { minus, plus } from '../../design/components/icons.ts';
import { changeDraft, useDraft } from '../../order/purchase/draft.ts';
import { readCount } from '../../i18n/typed-numbers.ts';
import { DEFAULT_CUSTOM_TREES, type Total } from './selection.ts';
import { useCountText } from './use-count-text.ts';
import styles from './TreeCount.module.css';

interface Props {
  /** Total of the typed count; undefined until prices load. */
  total: Total | undefined;
  onUse: () => void;
}

export function TreeCount({ total, onUse }: Props) {
  const { t } = useTranslation('checkout');
  const { customTrees, method } = useDraft();
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const wrong = useCountText({ packageType: 'custom', customTrees }, total, method.kind === 'card');
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
  const step = (by: number) => set(String(Math.max(1, (readCount(customTrees) ?? 0) + by)));
  return (
    <div className={styles.count}>
      <div className={`${styles.box} ${wrong ? styles.wrong : ''}`}>
        <button type="button" aria-label={t('fewer')} onClick={() => step(-1)}>
          <Icon of={minus} size="small" />
        </button>
        <input
          ref={input}
          className={styles.input}
          inputMode="numeric"
          autoComplete="off"
          aria-label={t('count')}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={errorId}
          value={customTrees}
          onChange={(event) => set(event.target.value)}
        />
        <button type="button" aria-label={t('more')} onClick={() => step(1)}>
          <Icon of={plus} size="small" />
        </button>
      </div>
      <FieldError id={errorId}>{wrong}</FieldError>
    </div>
  );
}
