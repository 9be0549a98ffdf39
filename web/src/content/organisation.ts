import firstPortrait from '../art/founder-a.svg';
import secondPortrait from '../art/founder-b.svg';

/**
 * What the organisation says of itself. Change it here; the texts around it are in i18n/locales.
 * Names of people are the same in every language, their roles are texts (landing: founders).
 */
export const ORGANISATION = {
  name: 'Arboleda',
  /** The organisation's own page about other ways to give. */
  contributeUrl: 'https://arboleda.example/contribute',
  contactEmail: 'hola@arboleda.example',
  /** Portraits are shown 300 × 340. */
  founders: {
    first: { name: 'Catalina Mejía', portrait: firstPortrait },
    second: { name: 'Andrés Quintero', portrait: secondPortrait },
  },
  copyrightYear: 2024,
} as const;
