import { useTranslation } from 'react-i18next';
import { usePage } from '../../layout/use-page.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { LanguageSwitch } from '../../layout/LanguageSwitch.tsx';
import { Basics } from './Basics.tsx';
import styles from './DesignPage.module.css';
import { Parts } from './Parts.tsx';
import { SAMPLES } from './samples.ts';
import { Tables } from './Tables.tsx';

/** All design tokens and components on one page, only in development. */
export function DesignPage() {
  const { i18n } = useTranslation();
  const say = SAMPLES[asLanguage(i18n.language) ?? 'en'];
  usePage(say.title);
  return (
    <main className={`container ${styles.page}`}>
      <header className={styles.head}>
        <h1 className="page-title">{say.title}</h1>
        <LanguageSwitch />
      </header>
      <Basics say={say} />
      <Tables say={say} />
      <Parts say={say} />
    </main>
  );
}
