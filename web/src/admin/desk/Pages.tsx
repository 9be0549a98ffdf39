import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { Button } from '../../design/components/Button.tsx';
import { arrowLeft, arrowRight } from '../../design/components/icons.ts';
import styles from './desk.module.css';
import { changed } from './use-search.ts';

/** Where the page that is shown begins, in the address. */
export const AFTER = 'after';

/**
 * Pages of a list that is read by cursors. Each page has its own address; back leads to the one before, also from an
 * address that somebody else sent, where it leads to the newest.
 */
export function Pages({ next }: { next: string | undefined }) {
  const { t } = useTranslation('desk');
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const current = new URLSearchParams(search);
  const isFirst = !current.has(AFTER);
  if (isFirst && !next) return null;
  const to = (cursor: string | null) => ({ search: String(changed(current, { [AFTER]: cursor })) });
  const newer = () => (isFromPage(state) ? navigate(-1) : navigate(to(null)));
  return (
    <nav aria-label={t('list.pages')} className={styles.pages}>
      <Button size="small" icon={arrowLeft} disabled={isFirst} onClick={() => void newer()}>
        {t('list.newer')}
      </Button>
      <Button
        size="small"
        icon={arrowRight}
        disabled={!next}
        onClick={() => void navigate(to(next ?? null), { state: { fromPage: true } })}
      >
        {t('list.older')}
      </Button>
    </nav>
  );
}

const isFromPage = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'fromPage' in state;
