import { certificatePath } from '@arboleda/contracts/certificate-code.ts';
import type { GiftCard } from '@arboleda/contracts/gift.ts';
import type { Role } from '@arboleda/contracts/roles.ts';

/** Target pages. Tokens are in the fragment, which browsers send to no server, so no log contains them. */
export const pages = (siteUrl: string) => {
  const page = (path: string, fragment?: Record<string, string>) => {
    const url = new URL(path, siteUrl);
    if (fragment) url.hash = new URLSearchParams(fragment).toString();
    return url.href;
  };
  return {
    order: (orderToken: string) => page(`/orders/${encodeURIComponent(orderToken)}`),
    buy: page('/plant-trees'),
    gift: (giftToken: string) => page(`/g/${encodeURIComponent(giftToken)}`),
    stopGifts: (giftToken: string) => page(`/g/${encodeURIComponent(giftToken)}/stop`),
    certificate: (code: string) => page(certificatePath(code)),
    portal: (role: Role) =>
      page({ customer: '/customer-portal', worker: '/worker-portal', admin: '/admin-dashboard' }[role]),
    debits: page('/admin-dashboard?view=statements&list=returns'),
    verifyEmail: (token: string) => page('/verify-email', { token }),
    confirmEmail: (token: string) => page('/confirm-email', { token }),
    resetPassword: (role: Role, token: string) => page('/reset-password', { role, token }),
    preferences: (token: string) => page('/mail-preferences', { token }),
    help: page('/help'),
    privacy: page('/privacy'),
    terms: page('/terms'),
  };
};

export type Pages = ReturnType<typeof pages>;

export interface MailLinks {
  nextStep: string;
  /** The order's private link, when the next step is another page. */
  order?: string;
  preferences?: string;
  /** Where the recipient of a gift stops all others. */
  stopGifts?: string;
  help: string;
  privacy: string;
  terms: string;
}

/** The paths of a photo, of the drawing of a planting and of a gift's card. */
export const photoPath = (filename: string): string => `/api/photos/${encodeURIComponent(filename)}?w=800`;
export const PLANTED_DRAWING = '/mail/planted.jpg';
export const cardPath = (card: GiftCard): string => `/mail/gift-${card}.jpg`;

/** URL of the page for subscribing to updates or unsubscribing. */
export const preferencesUrl = (siteUrl: string, newsToken: string): string =>
  pages(siteUrl).preferences(newsToken);

/** URL for one-click unsubscription by mail programs: RFC 8058. */
export const unsubscribeUrl = (siteUrl: string, newsToken: string): string =>
  new URL(`/api/mail/unsubscribe/${encodeURIComponent(newsToken)}`, siteUrl).href;
