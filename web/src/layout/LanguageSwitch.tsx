import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { LANGUAGE_PARAMETER, LANGUAGES, saveLanguage, type Language } from '../i18n/languages.ts';
import styles from './LanguageSwitch.module.css';

export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const choose = (language: Language) => {
    saveLanguage(language);
    const query = new URLSearchParams(search);
    if (query.has(LANGUAGE_PARAMETER)) {
      query.delete(LANGUAGE_PARAMETER);
      void navigate({ pathname, search: query.toString(), hash }, { replace: true });
    }
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
