import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldError } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { Workload } from '../workers/workers.ts';
import styles from './Bulk.module.css';

interface Props {
  /** Best first. */
  workers: readonly Workload[];
  /** Trees to be planted. */
  trees: number;
  chosen: string;
  error?: ReactNode;
  onChoose: (workerId: string) => void;
}

/** Workers to choose from, with region, load and room for these trees. */
export function WorkerList({ workers, trees, chosen, error, onChoose }: Props) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const id = useId();
  if (workers.length === 0) return <p className="quiet">{t('assign.nobody')}</p>;
  return (
    <fieldset className={styles.workers} aria-describedby={`${id}-error`}>
      <legend>{t('assign.worker')}</legend>
      <div className={styles.scroll}>
        {workers.map((worker, at) => {
          const hasRoom = worker.freeTrees >= trees;
          return (
            <label key={worker.workerId} className={styles.worker}>
              <input
                type="radio"
                name={id}
                value={worker.workerId}
                checked={worker.workerId === chosen}
                onChange={() => onChoose(worker.workerId)}
              />
              <span className={styles.name}>
                <strong>{worker.name}</strong>{' '}
                <span className="quiet">
                  {worker.code} · {worker.region}
                </span>
                {at === 0 && hasRoom && <span className={styles.best}>{t('assign.best')}</span>}
              </span>
              <span className={`${styles.load} tabular`}>
                {t('assign.load', {
                  open: formats.number(worker.openTrees),
                  capacity: formats.number(worker.capacityTrees),
                })}
                <br />
                <span className={hasRoom ? 'quiet' : styles.wrong}>
                  {hasRoom
                    ? t('assign.room', { count: worker.freeTrees, shown: formats.number(worker.freeTrees) })
                    : t('assign.overBy', {
                        count: trees - worker.freeTrees,
                        shown: formats.number(trees - worker.freeTrees),
                      })}
                </span>
              </span>
            </label>
          );
        })}
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}
