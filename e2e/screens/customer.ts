import { type Area, failing, loading, ofOrder, openDialog } from './screen.ts';

const ORDERS = '**/api/customers/orders?*';
const ALL_ORDERS = '**/api/customers/orders';

export const CUSTOMER: Area = [
  { name: 'customer-log-in', path: '/customer-portal' },
  {
    name: 'customer-register',
    path: '/customer-portal',
    prepare: (page, _data, say) => page.getByRole('tab', { name: say('customer:tabs.register') }).click(),
  },
  { name: 'customer-orders', as: 'donor', path: '/customer-portal' },
  { name: 'customer-orders-long', as: 'longDonor', path: '/customer-portal' },
  { name: 'customer-orders-none', as: 'newcomer', path: '/customer-portal' },
  { name: 'customer-unverified', as: 'unverified', path: '/customer-portal' },
  { name: 'customer-orders-failed', as: 'donor', path: '/customer-portal', ...failing(ORDERS, ALL_ORDERS) },
  { name: 'customer-orders-loading', as: 'donor', path: '/customer-portal', ...loading(ORDERS, ALL_ORDERS) },
  {
    name: 'customer-unreachable',
    as: 'donor',
    path: '/customer-portal',
    ...failing('**/api/auth/customer/verify'),
  },
  {
    name: 'customer-withdraw',
    as: 'donor',
    path: '/customer-portal',
    prepare: openDialog('withdrawal:open'),
  },
  {
    name: 'customer-growth-bought',
    as: 'donor',
    path: ofOrder('growing', ({ _id }) => `/customer-portal?package=success&order=${_id}`),
  },
  {
    name: 'customer-growth',
    as: 'donor',
    path: ofOrder('completed', ({ _id }) => `/customer-portal?growth=${_id}`),
  },
  { name: 'customer-account', as: 'donor', path: '/customer-portal/account' },
  { name: 'customer-account-long', as: 'longDonor', path: '/customer-portal/account' },
  { name: 'customer-account-guest', path: '/customer-portal/account' },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'forgot-password-worker', path: '/forgot-password?role=worker' },
  { name: 'reset-password', path: `/reset-password?role=customer#token=${'x'.repeat(22)}` },
  { name: 'reset-password-no-link', path: '/reset-password' },
  { name: 'confirm-email', path: `/confirm-email#token=${'x'.repeat(22)}` },
  { name: 'mail-preferences-unknown', path: `/mail-preferences#token=${'x'.repeat(22)}` },
  { name: 'verify-email-used', path: `/verify-email#token=${'x'.repeat(22)}` },
];
