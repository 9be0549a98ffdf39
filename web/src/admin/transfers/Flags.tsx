import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { warning } from '../../design/components/icons.ts';
import styles from './Review.module.css';
import type { Flag, Transfer } from './transfers.ts';

interface Props {
  transfer: Transfer;
  comparedTo: string | undefined;
  onCompare: (orderId: string) => void;
}

/** Warnings before a decision; none decides anything. */
export function Flags({ transfer, comparedTo, onCompare }: Props) {
  const { t } = useTranslation('panels');
  const { flags, evidenceFiles } = transfer.manualPayment;
  if (flags.length === 0) return null;
  const fileOf = (flag: Flag) =>
    evidenceFiles.find(({ filename }) => filename === flag.filename)?.originalName ?? '';
  return (
    <ul className={styles.flags} aria-label={t('review.flags')}>
      {flags.map((flag, at) => {
        const earlier = flag.orders?.at(-1);
        return (
          <li key={at} className={styles.flag}>
            <Icon of={warning} />
            <p>
              <strong>{t(`transfers.flags.${flag.type}`)}.</strong>{' '}
              {t(`review.flag.${flag.type}`, { file: fileOf(flag) })}{' '}
              {flag.orders
                ?.map(({ shortId, verificationStatus }) =>
                  t('review.otherOrder', {
                    id: shortId,
                    state: t(`transfers.verification.${verificationStatus}`).toLowerCase(),
                  }),
                )
                .join(', ')}
            </p>
            {earlier && earlier._id !== comparedTo && (
              <Button look="text" size="small" onClick={() => onCompare(earlier._id)}>
                {t('review.compare')}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
