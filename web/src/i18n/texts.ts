import type { Language } from './languages.ts';

export const TEXTS = {
  en: {
    common: () => import('./locales/en/common.json', { with: { type: 'json' } }),
    landing: () => import('./locales/en/landing.json', { with: { type: 'json' } }),
    checkout: () => import('./locales/en/checkout.json', { with: { type: 'json' } }),
    order: () => import('./locales/en/order.json', { with: { type: 'json' } }),
    certificate: () => import('./locales/en/certificate.json', { with: { type: 'json' } }),
    portal: () => import('./locales/en/portal.json', { with: { type: 'json' } }),
    customer: () => import('./locales/en/customer.json', { with: { type: 'json' } }),
    worker: () => import('./locales/en/worker.json', { with: { type: 'json' } }),
    admin: () => import('./locales/en/admin.json', { with: { type: 'json' } }),
    panels: () => import('./locales/en/panels.json', { with: { type: 'json' } }),
    statements: () => import('./locales/en/statements.json', { with: { type: 'json' } }),
    admins: () => import('./locales/en/admins.json', { with: { type: 'json' } }),
    audit: () => import('./locales/en/audit.json', { with: { type: 'json' } }),
    account: () => import('./locales/en/account.json', { with: { type: 'json' } }),
    gift: () => import('./locales/en/gift.json', { with: { type: 'json' } }),
    growth: () => import('./locales/en/growth.json', { with: { type: 'json' } }),
    withdrawal: () => import('./locales/en/withdrawal.json', { with: { type: 'json' } }),
    design: () => import('./locales/en/design.json', { with: { type: 'json' } }),
  },
  es: {
    common: () => import('./locales/es/common.json', { with: { type: 'json' } }),
    landing: () => import('./locales/es/landing.json', { with: { type: 'json' } }),
    checkout: () => import('./locales/es/checkout.json', { with: { type: 'json' } }),
    order: () => import('./locales/es/order.json', { with: { type: 'json' } }),
    certificate: () => import('./locales/es/certificate.json', { with: { type: 'json' } }),
    portal: () => import('./locales/es/portal.json', { with: { type: 'json' } }),
    customer: () => import('./locales/es/customer.json', { with: { type: 'json' } }),
    worker: () => import('./locales/es/worker.json', { with: { type: 'json' } }),
    admin: () => import('./locales/es/admin.json', { with: { type: 'json' } }),
    panels: () => import('./locales/es/panels.json', { with: { type: 'json' } }),
    statements: () => import('./locales/es/statements.json', { with: { type: 'json' } }),
    admins: () => import('./locales/es/admins.json', { with: { type: 'json' } }),
    audit: () => import('./locales/es/audit.json', { with: { type: 'json' } }),
    account: () => import('./locales/es/account.json', { with: { type: 'json' } }),
    gift: () => import('./locales/es/gift.json', { with: { type: 'json' } }),
    growth: () => import('./locales/es/growth.json', { with: { type: 'json' } }),
    withdrawal: () => import('./locales/es/withdrawal.json', { with: { type: 'json' } }),
    design: () => import('./locales/es/design.json', { with: { type: 'json' } }),
  },
} satisfies Record<Language, Record<string, () => Promise<object>>>;

export type TextNamespace = keyof (typeof TEXTS)['en'];

export async function readTexts(language: Language, namespace: TextNamespace): Promise<object> {
  const file: object = await TEXTS[language][namespace]();
  return 'default' in file ? (file.default as object) : file;
}
