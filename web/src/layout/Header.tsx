import { type FocusEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { ORGANISATION } from '../content/organisation.ts';
import { Icon } from '../design/components/Icon.tsx';
import { arrowUpRight, close, menu, user } from '../design/components/icons.ts';
import { LanguageSwitch } from './LanguageSwitch.tsx';
import { Logo } from './Logo.tsx';
import styles from './Header.module.css';

/** `over`: without a border, above the landing page's sky. */
export function Header({ over = false }: { over?: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const menuId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const shut = () => setOpen(false);
  const header = useRef<HTMLElement>(null);
  const leave = () => {
    shut();
    toggle.current?.focus();
  };
  useEffect(() => {
    if (!open) return;
    const touch = ({ target }: PointerEvent) => {
      if (!header.current?.contains(target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', touch);
    return () => document.removeEventListener('pointerdown', touch);
  }, [open]);
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget && !header.current?.contains(relatedTarget)) shut();
  };
  return (
    <header
      ref={header}
      className={`${styles.header} ${over ? styles.over : ''}`}
      onBlur={onBlur}
      onKeyDown={(event) => event.key === 'Escape' && open && leave()}
    >
      <div className={`container ${styles.bar}`}>
        <Link to="/" className={styles.home} aria-label={t('nav.homeLink')} onClick={shut}>
          <Logo name={ORGANISATION.name} />
        </Link>
        <LanguageSwitch />
        <button
          ref={toggle}
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          aria-controls={menuId}
          aria-label={open ? t('nav.closeMenu') : t('nav.openMenu')}
          onClick={() => setOpen(!open)}
        >
          <Icon of={open ? close : menu} size="large" />
        </button>
        <nav id={menuId} className={`${styles.nav} ${open ? styles.open : ''}`} aria-label={t('nav.label')}>
          <Link to="/plant-trees" onClick={shut}>
            {t('nav.contribute')}
          </Link>
          <Link to="/#how-it-works" onClick={shut}>
            {t('nav.howItWorks')}
          </Link>
          <a className={styles.outside} href={ORGANISATION.contributeUrl} rel="noopener">
            {t('nav.otherWays')}
            <Icon of={arrowUpRight} size="small" />
            <span className="visually-hidden">{t('nav.otherWaysHint')}</span>
          </a>
          <Link to="/customer-portal" className={styles.portal} onClick={shut}>
            <Icon of={user} size="small" />
            {t('nav.portal')}
          </Link>
        </nav>
      </div>
    </header>
  );
}
