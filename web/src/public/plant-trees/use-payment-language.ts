import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asLanguage, type Language } from '../../i18n/languages.ts';

/** The page's language, but constant during a payment, because a change replaces the card fields. */
export function usePaymentLanguage(isCharging: boolean): Language {
  const { i18n } = useTranslation();
  const language = asLanguage(i18n.language) ?? 'en';
  const [kept, setKept] = useState(language);
  if (!isCharging && kept !== language) setKept(language);
  return isCharging ? kept : language;
}
