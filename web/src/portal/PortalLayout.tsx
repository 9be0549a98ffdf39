import type { Role } from '@arboleda/contracts/roles.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { ORGANISATION } from '../content/organisation.ts';
import { Icon } from '../design/components/Icon.tsx';
import { signOut } from '../design/components/icons.ts';
import { LanguageSwitch } from '../layout/LanguageSwitch.tsx';
import { Logo } from '../layout/Logo.tsx';
import { firstName } from './names.ts';
import styles from './PortalLayout.module.css';

const PORTAL_PATHS: Record<Role, string> = {
  customer: '/customer-portal',
  admin: '/admin-dashboard',
  worker: '/worker-portal',
};

/** A link of one role, such as the customer's account. */
export interface PortalLink {
  to: string;
  label: string;
}

interface Props {
  role: Role;
  /** Guests see the guest menu of the product spec; while a token is verified the visitor is no guest. */
  isGuest: boolean;
  person?: { name: string } | undefined;
  logOut?: (() => void) | undefined;
  links?: readonly PortalLink[] | undefined;
  children: ReactNode;
}

export function PortalLayout({ role, isGuest, person, logOut, links = [], children }: Props) {
  const { t } = useTranslation('portal');
  const { t: common } = useTranslation();
  return (
    <div data-portal={role} className={styles.portal}>
      <a className="skip-link" href="#content">
        {common('skip')}
      </a>
      <header className={styles.header}>
        <div className={`container ${styles.bar} ${styles[role]}`}>
          <Link to="/" className={styles.home} aria-label={common('nav.homeLink')}>
            <Logo name={ORGANISATION.name} />
          </Link>
          <nav className={styles.nav} aria-label={common('nav.label')}>
            {isGuest ? <GuestMenu /> : <OwnMenu role={role} links={links} />}
          </nav>
          {(person || !isGuest) && (
            <p className={styles.greeting} dir="auto">
              {/* The line is kept free until the name is known. */}
              {person ? t('welcome', { name: firstName(person.name) }) : '\u00a0'}
            </p>
          )}
          <LanguageSwitch />
          {logOut && (
            <button type="button" className={styles.logOut} onClick={logOut}>
              <Icon of={signOut} />
              <span className={styles.logOutText}>{t('logOut')}</span>
            </button>
          )}
        </div>
      </header>
      <main id="content" tabIndex={-1} className={styles.main}>
        {children}
      </main>
    </div>
  );
}

function OwnMenu({ role, links }: { role: Role; links: readonly PortalLink[] }) {
  const { t } = useTranslation('portal');
  const { pathname } = useLocation();
  const current = (path: string) => (pathname.replace(/\.html$/, '') === path ? 'page' : undefined);
  const own = PORTAL_PATHS[role];
  return (
    <>
      <Link to="/">{t('menu.home')}</Link>
      <Link to={own} aria-current={current(own)}>
        {t(`menu.${role}`)}
      </Link>
      {links.map(({ to, label }) => (
        <Link key={to} to={to} aria-current={current(to)}>
          {label}
        </Link>
      ))}
    </>
  );
}

function GuestMenu() {
  const { t } = useTranslation();
  return (
    <>
      <Link to="/#home">{t('nav.home')}</Link>
      <Link to="/#about">{t('nav.about')}</Link>
      <Link to="/plant-trees">{t('nav.contribute')}</Link>
      <Link to={PORTAL_PATHS.customer}>{t('nav.portal')}</Link>
    </>
  );
}
