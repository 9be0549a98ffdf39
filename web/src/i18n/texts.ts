import type { Language } from './languages.ts';

/** Each language's texts by namespace, fetched when a page needs them. */
export const TEXTS = {
  en: {
    common: () => import('./locales/en/common.json'),
    landing: () => import('./locales/en/landing.json'),
    checkout: () => import('./locales/en/checkout.json'),
    order: () => import('./locales/en/order.json'),
    portal: () => import('./locales/en/portal.json'),
    customer: () => import('./locales/en/customer.json'),
    worker: () => import('./locales/en/worker.json'),
    admin: () => import('./locales/en/admin.json'),
  },
  es: {
    common: () => import('./locales/es/common.json'),
    landing: () => import('./locales/es/landing.json'),
    checkout: () => import('./locales/es/checkout.json'),
    order: () => import('./locales/es/order.json'),
    portal: () => import('./locales/es/portal.json'),
    customer: () => import('./locales/es/customer.json'),
    worker: () => import('./locales/es/worker.json'),
    admin: () => import('./locales/es/admin.json'),
  },
} satisfies Record<Language, Record<string, () => Promise<object>>>;

export type TextNamespace = keyof (typeof TEXTS)['en'];

export async function readTexts(language: Language, namespace: TextNamespace): Promise<object> {
  const file: object = await TEXTS[language][namespace]();
  return 'default' in file ? (file.default as object) : file;
}
