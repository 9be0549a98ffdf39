import { useTranslation } from 'react-i18next';
import { LANGUAGES, saveLanguage, type Language } from '../../i18n/languages.ts';
import styles from './LanguageSwitch.module.css';

export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  const choose = (language: Language) => {
    saveLanguage(language);
    void i18n.changeLanguage(language);
  };
  return (
    <div className={styles.switch} role="group" aria-label={t('nav.language')}>
      {LANGUAGES.map((language) => (
        <button
          key={language}
          type="button"
          className={styles.choice}
          lang={language}
          aria-label={`${language.toUpperCase()}, ${t(`language.${language}`)}`}
          aria-pressed={i18n.language === language}
          onClick={() => choose(language)}
        >
          {language.toUpperCase()}
        </button>
      ))}
    </div>
  );
}
