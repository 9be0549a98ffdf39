import { matchPath } from 'react-router-dom';
import { lazyPage, type LazyPage } from './lazy-page.ts';

export interface Route {
  path: string;
  page: LazyPage;
}

const landing = lazyPage(
  () => import('../public/landing/LandingPage.tsx').then((m) => m.LandingPage),
  ['landing'],
);

const help = lazyPage(() => import('../public/info/HelpPage.tsx').then((m) => m.HelpPage), []);
const privacy = lazyPage(() => import('../public/info/PrivacyPage.tsx').then((m) => m.PrivacyPage), []);
const terms = lazyPage(() => import('../public/info/TermsPage.tsx').then((m) => m.TermsPage), []);

const verify = lazyPage(
  () => import('../certificates/VerifyPage.tsx').then((m) => m.VerifyPage),
  ['certificate'],
);
const certificate = lazyPage(
  () => import('../certificates/CertificatePage.tsx').then((m) => m.CertificatePage),
  ['certificate'],
);

const gift = lazyPage(
  () => import('../gifts/GiftPage.tsx').then((m) => m.GiftPage),
  ['gift', 'order', 'growth', 'certificate'],
);
const stopGifts = lazyPage(() => import('../gifts/StopGiftsPage.tsx').then((m) => m.StopGiftsPage), ['gift']);

const customerPortal = lazyPage(
  () => import('../customer/CustomerPortal.tsx').then((m) => m.CustomerPortal),
  ['portal', 'customer', 'order', 'growth', 'certificate'],
);
const verifyEmail = lazyPage(
  () => import('../customer/VerifyEmailPage.tsx').then((m) => m.VerifyEmailPage),
  ['portal', 'customer'],
);
const customerAccount = lazyPage(
  () => import('../customer/account/AccountPage.tsx').then((m) => m.AccountPage),
  ['portal', 'customer', 'account'],
);
const forgotPassword = lazyPage(
  () => import('../account/ForgotPasswordPage.tsx').then((m) => m.ForgotPasswordPage),
  ['portal', 'account'],
);
const resetPassword = lazyPage(
  () => import('../account/ResetPasswordPage.tsx').then((m) => m.ResetPasswordPage),
  ['portal', 'account'],
);
const confirmEmail = lazyPage(
  () => import('../account/ConfirmEmailPage.tsx').then((m) => m.ConfirmEmailPage),
  ['portal', 'account'],
);
const mailPreferences = lazyPage(
  () => import('../account/MailPreferencesPage.tsx').then((m) => m.MailPreferencesPage),
  ['account'],
);
const workerPortal = lazyPage(
  () => import('../worker/WorkerPortal.tsx').then((m) => m.WorkerPortal),
  ['portal', 'worker'],
);
const adminDashboard = lazyPage(
  () => import('../admin/AdminDashboard.tsx').then((m) => m.AdminDashboard),
  ['portal', 'admin'],
);

const design: readonly Route[] = import.meta.env?.DEV
  ? [
      {
        path: '/design',
        page: lazyPage(() => import('../design/page/DesignPage.tsx').then((m) => m.DesignPage), []),
      },
    ]
  : [];

/** All routes. A portal is one line here and its own folder. */
export const ROUTES: readonly Route[] = [
  { path: '/', page: landing },
  {
    path: '/plant-trees',
    page: lazyPage(
      () => import('../public/plant-trees/PlantTreesPage.tsx').then((m) => m.PlantTreesPage),
      ['checkout'],
    ),
  },
  {
    path: '/orders/:token',
    page: lazyPage(
      () => import('../public/order/OrderPage.tsx').then((m) => m.OrderPage),
      ['order', 'growth', 'certificate'],
    ),
  },
  { path: '/verify', page: verify },
  { path: '/c/:code', page: certificate },
  { path: '/g/:token', page: gift },
  { path: '/g/:token/stop', page: stopGifts },
  { path: '/help', page: help },
  { path: '/privacy', page: privacy },
  { path: '/terms', page: terms },
  { path: '/customer-portal', page: customerPortal },
  { path: '/customer-portal.html', page: customerPortal },
  { path: '/customer-portal/account', page: customerAccount },
  { path: '/verify-email', page: verifyEmail },
  { path: '/forgot-password', page: forgotPassword },
  { path: '/reset-password', page: resetPassword },
  { path: '/confirm-email', page: confirmEmail },
  { path: '/mail-preferences', page: mailPreferences },
  { path: '/worker-portal', page: workerPortal },
  { path: '/worker-portal.html', page: workerPortal },
  { path: '/admin-dashboard', page: adminDashboard },
  { path: '/admin-dashboard.html', page: adminDashboard },
  ...design,
  // Unknown paths show the landing page: product spec section 2.
  { path: '*', page: landing },
];

export const routeOf = (pathname: string): Route => ROUTES.find(({ path }) => matchPath(path, pathname))!;
