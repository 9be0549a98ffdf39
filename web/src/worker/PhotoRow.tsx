import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/components/Button.tsx';
import { Icon } from '../design/components/Icon.tsx';
import {
  checkCircle,
  images,
  type Outline,
  upload as uploading,
  warning,
} from '../design/components/icons.ts';
import { useFormats } from '../i18n/format.ts';
import { asLanguage } from '../i18n/languages.ts';
import { sentenceOf } from '../session/problem-text.ts';
import type { QueuedPhoto } from './photo-queue.ts';
import styles from './PhotoUpload.module.css';

interface Props {
  photo: QueuedPhoto;
  onRetry: () => void;
  onRemove: () => void;
}

/** One photo on its way: what it is, how far it got, and what can be done about it. */
export function PhotoRow({ photo, onRetry, onRemove }: Props) {
  const { t } = useTranslation('worker');
  const { t: common } = useTranslation();
  const { state } = photo;
  return (
    <li className={`${styles.row} ${styles[state.step]}`}>
      <Preview address={photo.preview} />
      <div className={styles.words}>
        <div role="status">
          <StateText photo={photo} />
        </div>
        {state.step === 'sending' && (
          <progress className={styles.progress} max={1} value={state.share} aria-hidden="true" />
        )}
        {state.step === 'failed' && <Button onClick={onRetry}>{common('tryAgain')}</Button>}
        {(state.step === 'refused' || (state.step === 'sent' && state.duplicate)) && (
          <Button onClick={onRemove}>{t('photos.remove')}</Button>
        )}
      </div>
    </li>
  );
}

/** The picture itself; for a file that is none, the sign of one. */
function Preview({ address }: { address: string }) {
  const [broken, setBroken] = useState(false);
  return broken ? (
    <span className={styles.noPicture}>
      <Icon of={images} size="large" />
    </span>
  ) : (
    <img src={address} width="96" height="96" alt="" onError={() => setBroken(true)} />
  );
}

function StateText({ photo: { state } }: { photo: QueuedPhoto }) {
  const { t, i18n } = useTranslation('worker');
  const formats = useFormats();
  switch (state.step) {
    case 'sending':
      return <Title icon={uploading}>{t('photos.sending', { share: formats.percent(state.share) })}</Title>;
    case 'sent':
      return <Title icon={checkCircle}>{t(state.duplicate ? 'photos.again' : 'photos.sent')}</Title>;
    case 'refused':
      return (
        <>
          <Title icon={warning}>{t('photos.refused')}</Title>
          <p>{state.why.fields[0]?.message ?? sentenceOf(state.why, asLanguage(i18n.language) ?? 'en')}</p>
        </>
      );
    case 'failed':
      return (
        <>
          <Title icon={warning}>{t('photos.failed')}</Title>
          <p>{t('photos.failedText')}</p>
        </>
      );
  }
}

function Title({ icon, children }: { icon: Outline; children: ReactNode }) {
  return (
    <p className={styles.title}>
      <Icon of={icon} /> {children}
    </p>
  );
}
