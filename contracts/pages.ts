/** Paths of the web app's pages; `:name` stands for one segment. The gateway answers any other address with 404. */
export const PAGE_PATHS = [
  '/',
  '/plant-trees',
  '/orders/:token',
  '/verify',
  '/c/:code',
  '/g/:token',
  '/g/:token/stop',
  '/help',
  '/privacy',
  '/terms',
  '/customer-portal',
  '/customer-portal.html',
  '/customer-portal/account',
  '/verify-email',
  '/forgot-password',
  '/reset-password',
  '/confirm-email',
  '/mail-preferences',
  '/worker-portal',
  '/worker-portal.html',
  '/admin-dashboard',
  '/admin-dashboard.html',
] as const;
export type PagePath = (typeof PAGE_PATHS)[number];

/** Matches like the app's router: in any case, with or without a slash at the end. */
const PAGES = new RegExp(
  `^(?:${PAGE_PATHS.map((path) => path.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')).join('|')})/?$`,
  'i',
);

/** @param path of a URL, without its query */
export function isPagePath(path: string): boolean {
  try {
    return path.startsWith('/') && PAGES.test(decodeURI(path));
  } catch {
    return false;
  }
}
