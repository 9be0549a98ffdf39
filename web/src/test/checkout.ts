/** Server answers of the checkout for a Colombian visitor. */
export const PACKAGES = {
  currency: 'COP',
  country: 'Colombia',
  exchangeRate: 4115,
  ratesAsOf: '2026-11-20',
  ratesAgeDays: 1,
  ratesSource: 'x',
  quote: 'quote-1',
  expiresAt: '2026-11-21T15:52:00Z',
  cardMaxAmount: 9_999_999_999,
  packages: [
    { packageType: 'individual', trees: 1, amount: 2_057_500, unitAmount: 2_057_500, savingAmount: 0 },
    { packageType: 'grove', trees: 5, amount: 8_230_000, unitAmount: 1_646_000, savingAmount: 2_057_500 },
    { packageType: 'patch', trees: 20, amount: 28_805_000, unitAmount: 1_440_250, savingAmount: 12_345_000 },
    { packageType: 'custom', trees: 1, amount: 2_057_500, unitAmount: 2_057_500, savingAmount: 0 },
  ],
};

/** The same in dollars. */
export const PACKAGES_IN_DOLLARS = {
  ...PACKAGES,
  currency: 'USD',
  country: 'United States',
  exchangeRate: 1,
  quote: 'quote-usd',
  cardMaxAmount: 99_999_999,
  packages: PACKAGES.packages.map((one) => ({
    ...one,
    amount: Math.round(one.amount / 4115),
    unitAmount: Math.round(one.unitAmount / 4115),
    savingAmount: Math.round(one.savingAmount / 4115),
  })),
};

/** Dollar prices for a Colombian visitor, because the rate of the peso is too old. */
export const OUTDATED_PACKAGES = { ...PACKAGES_IN_DOLLARS, country: 'Colombia' };

export const CONFIG = {
  stripe: {
    publishableKey: 'pk_test_1',
    scriptUrl: 'https://stripe.test/stripe.js',
    apiUrl: 'https://stripe.test',
  },
  bankAccounts: [
    {
      bank: 'bancolombia',
      accountType: 'Ahorros',
      accountNumber: '123-456789-00',
      holder: 'Fundación Arboleda',
      taxId: '900.000.000-0',
    },
  ],
  photoPackages: [],
  siteUrl: 'https://arboleda.test',
  languages: ['en', 'es'],
};

export const INTENT = {
  client_secret: 'secret-1',
  orderId: 'a'.repeat(24),
  orderToken: 'tokentokentokentokento',
  amount: 8_230_000,
  currency: 'COP',
};
