import { useState } from 'react';
import { Icon } from './Icon.tsx';
import { checkCircle, images, trash, warning } from './icons.ts';
import styles from './PhotoInput.module.css';

export interface ChosenPhoto {
  id: string;
  name: string;
  /** "412 KB" */
  size: string;
  preview: string;
  state: 'ready' | 'sending' | 'sent' | 'refused';
  share?: number;
  words: string;
}

interface Props {
  photo: ChosenPhoto;
  removeLabel: string;
  locked: boolean;
  onRemove: () => void;
}

const ICON_OF = { ready: images, sending: undefined, sent: checkCircle, refused: warning };

export function PhotoRow({ photo, removeLabel, locked, onRemove }: Props) {
  const { name, size, preview, state, share = 0, words } = photo;
  const [isUnreadable, setIsUnreadable] = useState(false);
  const icon = ICON_OF[state];
  return (
    <li className={`${styles.photo} ${styles[state]}`}>
      {isUnreadable ? (
        <span className={`${styles.preview} ${styles.unreadable}`}>
          <Icon of={images} />
        </span>
      ) : (
        <img
          className={styles.preview}
          src={preview}
          width="72"
          height="72"
          alt=""
          onError={() => setIsUnreadable(true)}
        />
      )}
      <div className={styles.facts}>
        <p className={styles.name} dir="auto">
          {name}
        </p>
        <p className={`small ${styles.state}`} role={state === 'refused' ? 'alert' : undefined}>
          {icon && <Icon of={icon} size="small" />}
          <span className={styles.size}>{size}</span> <span>{words}</span>
        </p>
        {state === 'sending' && (
          <div
            className={styles.bar}
            role="progressbar"
            aria-label={name}
            aria-valuenow={Math.round(share * 100)}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <span className={styles.gone} style={{ scale: `${share} 1` }} />
          </div>
        )}
      </div>
      <button
        type="button"
        className={styles.remove}
        aria-label={removeLabel}
        disabled={locked}
        onClick={onRemove}
      >
        <Icon of={trash} />
      </button>
    </li>
  );
}
