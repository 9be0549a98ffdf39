import { certificatePath } from '@arboleda/contracts/certificate-code.ts';
import type { GiftCard } from '@arboleda/contracts/gift.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import type { MailFacts, MailKind, OrderFacts } from './facts.ts';
import type { AccountKind } from './kinds.ts';

/** Target pages. Tokens are in the fragment, which browsers send to no server, so no log contains them. */
const pages = (siteUrl: string) => {
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

type Pages = ReturnType<typeof pages>;
type NextStep<Kind extends MailKind> = (facts: MailFacts[Kind], to: Pages) => string;

/** URL of the next step, where that is neither the donor's order nor the worker's portal. */
const NEXT_STEPS: {
  [
    Kind in AccountKind | 'return-suspected' | 'transfer-rejected' | 'certificate' | 'certificate-revoked'
  ]: NextStep<Kind>;
} = {
  certificate: ({ code }, to) => to.certificate(code),
  'certificate-revoked': ({ code }, to) => to.certificate(code),
  'transfer-rejected': (_facts, to) => to.buy,
  'return-suspected': (_facts, to) => to.debits,
  'verify-email': ({ token }, to) => to.verifyEmail(token),
  'reset-password': ({ role, token }, to) => to.resetPassword(role, token),
  'worker-invited': ({ token }, to) => to.resetPassword('worker', token),
  'admin-invited': ({ token }, to) => to.resetPassword('admin', token),
  'admin-role-changed': (_facts, to) => to.portal('admin'),
  'confirm-email': ({ token }, to) => to.confirmEmail(token),
  'email-changed': ({ role }, to) => to.portal(role),
  'password-changed': ({ role }, to) => to.portal(role),
  'second-factor-changed': ({ role }, to) => to.portal(role),
};

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

/** @param newsToken of the address, for emails that can be unsubscribed */
export function linksOf(
  mail: { kind: MailKind; facts: MailFacts[MailKind] },
  siteUrl: string,
  newsToken?: string,
): MailLinks {
  const to = pages(siteUrl);
  const decide = (NEXT_STEPS as Partial<Record<MailKind, NextStep<MailKind>>>)[mail.kind];
  const { orderToken, giftToken } = mail.facts as Partial<OrderFacts>;
  const order = orderToken === undefined ? undefined : to.order(orderToken);
  const gift = giftToken === undefined ? undefined : to.gift(giftToken);
  const nextStep = gift ?? decide?.(mail.facts, to) ?? order ?? to.portal('worker');
  return {
    nextStep,
    ...(order !== undefined && order !== nextStep && { order }),
    help: to.help,
    privacy: to.privacy,
    terms: to.terms,
    ...(newsToken !== undefined && { preferences: to.preferences(newsToken) }),
    ...(mail.kind === 'gift' && giftToken !== undefined && { stopGifts: to.stopGifts(giftToken) }),
  };
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
