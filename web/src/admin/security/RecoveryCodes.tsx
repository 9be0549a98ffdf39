import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../api/save-file.ts';
import { Button } from '../../design/components/Button.tsx';
import { CopyButton } from '../../design/components/CopyButton.tsx';
import { arrowDown } from '../../design/components/icons.ts';
import styles from './Security.module.css';

/** Each lets one in once without the app. They are shown now and never again. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('desk');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = codes.join('\n');
  return (
    <div className={styles.steps}>
      <h4 ref={heading} tabIndex={-1} className={styles.title}>
        {t('security.codes')}
      </h4>
      <p>{t('security.codesText')}</p>
      <ul className={`${styles.secret} ${styles.codes}`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.acts}>
        <CopyButton text={text} label={t('security.copyCodes')} />
        <Button
          icon={arrowDown}
          onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), t('security.codesFile'))}
        >
          {t('security.saveCodes')}
        </Button>
        <Button onClick={onClose}>{t('security.keptCodes')}</Button>
      </div>
    </div>
  );
}
