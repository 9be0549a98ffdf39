import type { Gift, GiftCard as Drawing } from '@arboleda/contracts/gift.ts';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { plant } from '../../design/components/icons.ts';
import { Picture } from '../../design/components/Picture.tsx';
import type { Language } from '../../i18n/languages.ts';
import { CARD_SCENES } from './gifts.ts';
import styles from './GiftCard.module.css';

interface Props {
  gift: Pick<Gift, 'recipientName' | 'message' | 'card'>;
  /** The buyer; absent when their data was erased. */
  from: string | undefined;
  trees: number;
  /** Language of the card; the page's by default. */
  language?: Language;
  size?: 'large' | 'normal';
}

/** The card as its recipient sees it: a drawing, and beside it what the buyer wrote. */
export function GiftCard({ gift, from, trees, language, size = 'normal' }: Props) {
  const { t, i18n } = useTranslation('gift', language && { lng: language });
  return (
    <article className={`${styles.card} ${styles[size]}`} lang={language ?? i18n.language}>
      <CardDrawing card={gift.card} sizes={size === 'large' ? '(max-width: 799px) 100vw, 640px' : '480px'} />
      <div className={styles.words}>
        <p className={styles.to} dir="auto">
          {t('card.for', { name: gift.recipientName })}
        </p>
        {gift.message && (
          <p className={styles.message} dir="auto">
            {gift.message}
          </p>
        )}
        {from && (
          <p className={styles.from} dir="auto">
            {from}
          </p>
        )}
        <p className={styles.trees}>
          <Icon of={plant} size="small" />
          {t('card.trees', { count: trees })}
        </p>
      </div>
    </article>
  );
}

/** The drawing alone; its name is written beside it or does not matter. */
export function CardDrawing({ card, sizes }: { card: Drawing; sizes: string }) {
  return (
    <div className={`${styles.drawing} ${styles[card]}`}>
      <Picture scene={CARD_SCENES[card]} alt="" sizes={sizes} />
    </div>
  );
}
