import { lazy, type RefObject, Suspense, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemField } from '../../api/problem.ts';
import { CrashBoundary } from '../../design/components/CrashBoundary.tsx';
import { loadChunk } from '../../design/load-chunk.ts';
import { Icon } from '../../design/components/Icon.tsx';
import { gift as giftIcon } from '../../design/components/icons.ts';
import { FormSkeleton } from '../../design/components/Skeleton.tsx';
import {
  emptyGift,
  errorsOf,
  type GiftErrors,
  type GiftForm,
  hasErrors,
  refusedFields,
  senderProblem,
} from '../../order/gift/gift-form.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { changeDraft, currentDraft, useDraft } from '../../order/purchase/draft.ts';
import styles from './GiftChoice.module.css';

const GiftFields = lazy(async () => ({
  default: (await loadChunk(() => import('../../order/gift/GiftFields.tsx'))).GiftFields,
}));

interface Props {
  errors: GiftErrors;
  /** A field is being corrected. */
  onTouch: (fields: readonly string[]) => void;
  buyer: { name: string; email: string };
  trees: number;
  locked: boolean;
}

/** Whether the trees are for someone else, and everything about that. */
export function GiftChoice({ errors, onTouch, buyer, trees, locked }: Props) {
  const { t, i18n } = useTranslation('checkout');
  const { t: common } = useTranslation();
  const { isGift = false, gift } = useDraft();
  const id = useId();
  const language = asLanguage(i18n.language) ?? 'en';
  const change = (part: Partial<GiftForm>) => {
    changeDraft({ gift: { ...(currentDraft().gift ?? emptyGift(language)), ...part } });
    onTouch(Object.keys(part));
  };
  return (
    <fieldset disabled={locked} className={`${styles.gift} ${isGift ? styles.chosen : ''}`}>
      <legend className="visually-hidden">{t('gift.label')}</legend>
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={isGift}
          aria-labelledby={`${id}-name`}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) =>
            changeDraft({ isGift: target.checked, gift: gift ?? emptyGift(language) })
          }
        />
        <span className={styles.words}>
          <span id={`${id}-name`} className={styles.name}>
            {t('gift.choose')}
          </span>
          <span id={`${id}-hint`} className="small quiet">
            {t('gift.hint')}
          </span>
        </span>
        <Icon of={giftIcon} />
      </label>
      {isGift && (
        <div className={styles.fields}>
          <CrashBoundary panel>
            <Suspense fallback={<FormSkeleton label={common('loading')} fields={4} />}>
              <GiftFields
                gift={gift ?? emptyGift(language)}
                errors={errors}
                onChange={change}
                buyer={buyer}
                trees={trees}
              />
            </Suspense>
          </CrashBoundary>
        </div>
      )}
    </fieldset>
  );
}

/** Errors of the gift's fields; none while the trees are for the buyer. */
export function useGiftErrors(box: RefObject<HTMLDivElement | null>) {
  const { t, i18n } = useTranslation('gift', { useSuspense: false });
  const { isGift, gift } = useDraft();
  const [errors, setErrors] = useState<GiftErrors>({});
  const language = asLanguage(i18n.language) ?? 'en';
  const found = isGift && gift ? errorsOf(gift, t, language) : {};
  const show = (wrong: GiftErrors) => {
    setErrors(wrong);
    return hasErrors(wrong);
  };
  useEffect(() => {
    if (hasErrors(errors)) box.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [box, errors]);
  return {
    errors: isGift ? errors : {},
    isReady: !hasErrors(found),
    /** Marks what is missing or wrong; true when something is. */
    check: () => show(found),
    /** Why the buyer's name cannot be the sender's; empty when it can. */
    checkSender: (name: string): ProblemField[] => {
      const wrong = currentDraft().isGift && senderProblem(name, language);
      return wrong ? [{ path: 'customerName', type: 'not-a-sender', message: wrong }] : [];
    },
    refuse: (fields: readonly ProblemField[]) => show(refusedFields(fields, i18n.language)),
    forgive: (fields: readonly string[]) =>
      setErrors((marked) =>
        Object.fromEntries(Object.entries(marked).filter(([field]) => !fields.includes(field))),
      ),
  };
}
