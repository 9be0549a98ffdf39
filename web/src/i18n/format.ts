import { useTranslation } from 'react-i18next';
import { formatsOf, type Formats } from './formats.ts';

export { formatsOf, type Formats } from './formats.ts';

/** The formats of the language that the page is in. */
export function useFormats(): Formats {
  const { i18n } = useTranslation();
  return formatsOf(i18n.language);
}
