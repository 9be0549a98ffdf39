import { GIFT_HOUR, MAX_GIFT_MESSAGE } from '@arboleda/contracts/gift.ts';
import { LANGUAGES } from '@arboleda/contracts/roles.ts';
import { Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, FieldError, SelectField, TextField } from '../../design/components/Field.tsx';
import { SkeletonBlock } from '../../design/components/Skeleton.tsx';
import { useFormats } from '../../i18n/format.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { CardDrawing, GiftCard } from './GiftCard.tsx';
import { choosableDays, type GiftErrors, type GiftForm, ownTimeZone } from './gift-form.ts';
import { CARDS } from './gifts.ts';
import { useTextRules } from './text-rules.ts';
import styles from './gifts.module.css';

interface Props {
  gift: GiftForm;
  errors: GiftErrors;
  onChange: (change: Partial<GiftForm>) => void;
  /** Typed name and address of the buyer. */
  buyer: { name: string; email: string };
  trees: number;
}

/** Everything that a buyer says of a gift, and the card that comes of it. */
export function GiftFields({ gift, errors, onChange, buyer, trees }: Props) {
  const { t } = useTranslation('gift');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const id = useId();
  const [days] = useState(choosableDays);
  useTextRules();
  const left = MAX_GIFT_MESSAGE - gift.message.trim().length;
  const isOwn = same(gift.recipientEmail, buyer.email);
  return (
    <div className={styles.fields}>
      <Field
        label={t('form.name')}
        name="gift.recipientName"
        autoComplete="off"
        dir="auto"
        maxLength={120}
        value={gift.recipientName}
        error={errors.recipientName}
        onChange={({ target }) => onChange({ recipientName: target.value })}
      />
      <fieldset>
        <legend className={styles.legend}>{t('form.how')}</legend>
        <div className={styles.ways}>
          {([false, true] as const).map((byHand) => {
            const way = byHand ? 'byHand' : 'byEmail';
            return (
              <label key={way} className={styles.way}>
                <input
                  type="radio"
                  name={`${id}-way`}
                  checked={gift.byHand === byHand}
                  aria-labelledby={`${id}-${way}`}
                  aria-describedby={`${id}-${way}-hint`}
                  onChange={() => onChange({ byHand })}
                />
                <span>
                  <span id={`${id}-${way}`} className={styles.wayName}>
                    {t(`form.${way}`)}
                  </span>
                  <span id={`${id}-${way}-hint`} className="small quiet">
                    {t(`form.${way}Hint`)}
                  </span>
                </span>
              </label>
            );
          })}
        </div>
      </fieldset>
      {!gift.byHand && (
        <Field
          label={t('form.email')}
          hint={isOwn ? t('form.ownEmail') : t('form.emailHint')}
          name="gift.recipientEmail"
          type="email"
          inputMode="email"
          autoComplete="off"
          dir="ltr"
          maxLength={254}
          value={gift.recipientEmail}
          error={errors.recipientEmail}
          onChange={({ target }) => onChange({ recipientEmail: target.value })}
        />
      )}
      <TextField
        label={t('form.message')}
        note={t('form.optional')}
        hint={left < 0 ? t('form.tooLong', { count: MAX_GIFT_MESSAGE }) : t('form.left', { count: left })}
        name="gift.message"
        rows={4}
        value={gift.message}
        error={errors.message}
        onChange={({ target }) => onChange({ message: target.value })}
      />
      <div className={styles.two}>
        <Field
          label={t(gift.byHand ? 'form.handDay' : 'form.day')}
          hint={dayHint()}
          name="gift.deliverOn"
          type="date"
          min={days.first}
          max={days.last}
          value={gift.deliverOn}
          error={errors.deliverOn}
          onChange={({ target }) => onChange({ deliverOn: target.value })}
        />
        <SelectField
          label={t('form.language')}
          hint={t('form.languageHint')}
          name="gift.language"
          value={gift.language}
          error={errors.language}
          onChange={({ target }) => onChange({ language: asLanguage(target.value) ?? 'en' })}
        >
          {LANGUAGES.map((one) => (
            <option key={one} value={one}>
              {common(`language.${one}`)}
            </option>
          ))}
        </SelectField>
      </div>
      <fieldset>
        <legend className={styles.legend}>{t('form.card')}</legend>
        <div className={styles.cards}>
          {CARDS.map((card) => (
            <label key={card} className={styles.cardChoice}>
              <input
                type="radio"
                name={`${id}-card`}
                value={card}
                checked={gift.card === card}
                onChange={() => onChange({ card })}
              />
              <CardDrawing card={card} sizes="(max-width: 639px) 45vw, 160px" />
              <span className="least">{t(`form.cards.${card}`)}</span>
            </label>
          ))}
        </div>
        <FieldError>{errors.card}</FieldError>
      </fieldset>
      <section aria-labelledby={`${id}-preview`} className={styles.preview}>
        <p id={`${id}-preview`} className={styles.legend}>
          {t('form.preview')}
        </p>
        <Suspense fallback={<SkeletonBlock className={styles.previewLoading} />}>
          <GiftCard
            gift={{ ...gift, recipientName: gift.recipientName.trim() || '…' }}
            from={firstName(buyer.name) || '…'}
            trees={trees}
            language={gift.language}
          />
        </Suspense>
      </section>
    </div>
  );

  function dayHint(): string {
    if (gift.byHand) return t('form.handDayHint');
    if (gift.deliverOn === days.first) return t('form.today');
    return t('form.dayHint', { time: formats.hour(GIFT_HOUR), zone: formats.zone(ownTimeZone()) });
  }
}

const same = (one: string, other: string): boolean =>
  one.trim() !== '' && one.trim().toLowerCase() === other.trim().toLowerCase();

const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? '';
