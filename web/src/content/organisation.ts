/**
 * What the organisation says of itself. Change it here; the texts around it are in i18n/locales.
 * Names of people are the same in every language, their roles are texts (landing: founders).
 */
export const ORGANISATION = {
  name: 'Arboleda',
  /** The organisation's own page about other ways to give. */
  contributeUrl: 'https://arboleda.example/contribute',
  contactEmail: 'hola@arboleda.example',
  founders: { first: 'Catalina Mejía', second: 'Andrés Quintero' },
  copyrightYear: 2024,
} as const;
