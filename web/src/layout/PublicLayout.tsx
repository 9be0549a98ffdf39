import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';

interface Props {
  /** Landing page: header over its sky, footer with the tree line. */
  landing?: boolean;
  children: ReactNode;
}

export function PublicLayout({ landing = false, children }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <Header over={landing} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Footer full={landing} />
    </>
  );
}
