import { PAGE_PATHS, type PagePath } from '@arboleda/contracts/pages.ts';
import { matchPath } from 'react-router-dom';
import { lazyPage, type LazyPage } from './lazy-page.ts';

export interface Route {
  path: string;
  page: LazyPage;
}

const landing = lazyPage(
  () => import('../shop/landing/LandingPage.tsx').then((m) => m.LandingPage),
  ['landing'],
);

const help = lazyPage(() => import('../shop/info/HelpPage.tsx').then((m) => m.HelpPage), []);
const privacy = lazyPage(() => import('../shop/info/PrivacyPage.tsx').then((m) => m.PrivacyPage), []);
const terms = lazyPage(() => import('../shop/info/TermsPage.tsx').then((m) => m.TermsPage), []);

const verify = lazyPage(
  () => import('../order/certificate/VerifyPage.tsx').then((m) => m.VerifyPage),
  ['certificate'],
);
const certificate = lazyPage(
  () => import('../order/certificate/CertificatePage.tsx').then((m) => m.CertificatePage),
  ['certificate'],
);

const gift = lazyPage(
  () => import('../order/gift/GiftPage.tsx').then((m) => m.GiftPage),
  ['gift', 'order', 'growth', 'certificate'],
);
const stopGifts = lazyPage(
  () => import('../order/gift/StopGiftsPage.tsx').then((m) => m.StopGiftsPage),
  ['gift'],
);

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
        page: lazyPage(() => import('./design-page/DesignPage.tsx').then((m) => m.DesignPage), []),
      },
    ]
  : [];

const notFound = lazyPage(() => import('../shop/NotFoundPage.tsx').then((m) => m.NotFoundPage), ['landing']);

/** A portal is one line here and its own folder; a new path is one in contracts/pages.ts, too. */
const PAGES: Record<PagePath, LazyPage> = {
  '/': landing,
  '/plant-trees': lazyPage(
    () => import('../shop/checkout/PlantTreesPage.tsx').then((m) => m.PlantTreesPage),
    ['checkout'],
  ),
  '/orders/:token': lazyPage(
    () => import('../order/page/OrderPage.tsx').then((m) => m.OrderPage),
    ['order', 'growth', 'certificate'],
  ),
  '/verify': verify,
  '/c/:code': certificate,
  '/g/:token': gift,
  '/g/:token/stop': stopGifts,
  '/help': help,
  '/privacy': privacy,
  '/terms': terms,
  '/customer-portal': customerPortal,
  '/customer-portal.html': customerPortal,
  '/customer-portal/account': customerAccount,
  '/verify-email': verifyEmail,
  '/forgot-password': forgotPassword,
  '/reset-password': resetPassword,
  '/confirm-email': confirmEmail,
  '/mail-preferences': mailPreferences,
  '/worker-portal': workerPortal,
  '/worker-portal.html': workerPortal,
  '/admin-dashboard': adminDashboard,
  '/admin-dashboard.html': adminDashboard,
};

/** All routes. */
export const ROUTES: readonly Route[] = [
  ...PAGE_PATHS.map((path) => ({ path, page: PAGES[path] })),
  ...design,
  { path: '*', page: notFound },
];

export const routeOf = (pathname: string): Route => ROUTES.find(({ path }) => matchPath(path, pathname))!;
