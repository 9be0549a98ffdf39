import { useTranslation } from 'react-i18next';
import { formatsOf, type Formats } from './formats.ts';

export { formatsOf, type Formats } from './formats.ts';

export function useFormats(): Formats {
  const { i18n } = useTranslation();
  return formatsOf(i18n.language);
}
