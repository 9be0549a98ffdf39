import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import styles from './ShortcutHelp.module.css';

const KEYS = [
  { name: 'search', keys: ['/'] },
  { name: 'move', keys: ['j', 'k', '↓', '↑'] },
  { name: 'open', keys: ['Enter'] },
  { name: 'close', keys: ['Esc'] },
  { name: 'help', keys: ['?'] },
] as const;

interface Props {
  open: boolean;
  onClose: () => void;
  lettersOn: boolean;
  onSwitch: (on: boolean) => void;
}

/** Explains the keys, with a switch for letter keys. */
export function ShortcutHelp({ open, onClose, lettersOn, onSwitch }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('keys.title')}
      actions={<Button onClick={onClose}>{common('close')}</Button>}
    >
      <dl className={styles.keys}>
        {KEYS.map(({ name, keys }) => (
          <div key={name} className={styles.row}>
            <dt>{t(`keys.${name}`)}</dt>
            <dd className={styles.caps}>
              {keys.map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className={styles.switch}>
        <input type="checkbox" checked={lettersOn} onChange={(event) => onSwitch(event.target.checked)} />
        <span>{t('keys.letters')}</span>
      </label>
    </Dialog>
  );
}
