import 'i18next';
import type admin from './locales/en/admin.json';
import type certificate from './locales/en/certificate.json';
import type checkout from './locales/en/checkout.json';
import type common from './locales/en/common.json';
import type customer from './locales/en/customer.json';
import type audit from './locales/en/audit.json';
import type account from './locales/en/account.json';
import type design from './locales/en/design.json';
import type panels from './locales/en/panels.json';
import type gift from './locales/en/gift.json';
import type growth from './locales/en/growth.json';
import type landing from './locales/en/landing.json';
import type order from './locales/en/order.json';
import type portal from './locales/en/portal.json';
import type admins from './locales/en/admins.json';
import type statements from './locales/en/statements.json';
import type withdrawal from './locales/en/withdrawal.json';
import type worker from './locales/en/worker.json';

/** Keys are checked against the English texts at compile time. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      common: typeof common;
      landing: typeof landing;
      checkout: typeof checkout;
      order: typeof order;
      certificate: typeof certificate;
      portal: typeof portal;
      customer: typeof customer;
      worker: typeof worker;
      admin: typeof admin;
      gift: typeof gift;
      growth: typeof growth;
      withdrawal: typeof withdrawal;
      panels: typeof panels;
      admins: typeof admins;
      statements: typeof statements;
      audit: typeof audit;
      design: typeof design;
      account: typeof account;
    };
  }
}
