import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { treeline } from '../art/scenes.ts';
import { ORGANISATION } from '../content/organisation.ts';
import { Picture } from '../design/components/Picture.tsx';
import { CurrencyPicker } from './CurrencyPicker.tsx';
import { Logo } from './Logo.tsx';
import styles from './Footer.module.css';

const neverChanges = () => () => undefined;
const currentYear = () => String(new Date().getFullYear());
/** As the gateway wrote it, so that hydration finds it; the current one may be the next. */
const yearOfPage = () => globalThis.document?.documentElement.dataset.year ?? '%YEAR%';

/** `full`: with tree line and name, for the landing page; otherwise one row. */
export function Footer({ full = false }: { full?: boolean }) {
  const { t } = useTranslation();
  const year = useSyncExternalStore(neverChanges, currentYear, yearOfPage);
  return (
    <footer className={full ? styles.full : undefined}>
      {full && <Picture className={styles.treeline} scene={treeline} alt="" sizes="100vw" />}
      <div className={`on-forest ${styles.ground}`}>
        <div className={`container ${styles.rows}`}>
          <div className={styles.row}>
            {full && <Logo name={ORGANISATION.name} />}
            <nav className={styles.links} aria-label={t('footer.label')}>
              <Link to="/#home">{t('nav.home')}</Link>
              <Link to="/#about">{t('nav.about')}</Link>
              <Link to="/plant-trees">{t('nav.plantTrees')}</Link>
              <Link to="/customer-portal">{t('nav.myTrees')}</Link>
              <Link to="/help">{t('footer.help')}</Link>
              <Link to="/verify">{t('footer.verify')}</Link>
            </nav>
          </div>
          <div className={`${styles.row} ${styles.last}`}>
            <p>
              {t('footer.contact')}{' '}
              <a href={`mailto:${ORGANISATION.contactEmail}`}>{ORGANISATION.contactEmail}</a>
            </p>
            <nav className={styles.links} aria-label={t('footer.legal')}>
              <Link to="/privacy">{t('footer.privacy')}</Link>
              <Link to="/terms">{t('footer.terms')}</Link>
            </nav>
            <CurrencyPicker />
            <p>{t('footer.copyright', { year, name: ORGANISATION.name })}</p>
            <p className={styles.seller}>{ORGANISATION.seller}</p>
          </div>
        </div>
      </div>
    </footer>
  );
}
