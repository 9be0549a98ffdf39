import { ORGANISATION as ORGANISATION_FACTS } from '@arboleda/contracts/organisation.ts';
import firstPortrait from '../art/founder-a.svg';
import secondPortrait from '../art/founder-b.svg';

/**
 * Facts about the organization. Texts around them are in i18n/locales. Names are the same in every language; roles are
 * texts (landing: founders).
 */
export const ORGANISATION = {
  ...ORGANISATION_FACTS,
  /** The organization's page about other ways to give. */
  contributeUrl: 'https://arboleda.example/contribute',
  /** Portraits are shown at 300 × 340 px. */
  founders: {
    first: { name: 'Catalina Mejía', portrait: firstPortrait },
    second: { name: 'Andrés Quintero', portrait: secondPortrait },
  },
  copyrightYear: 2024,
} as const;
