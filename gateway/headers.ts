import type { GatewayConfig } from './config.ts';

type Directives = Record<string, readonly string[]>;

/** The product spec embeds a satellite map of the place of planting. */
const MAP_EMBEDS = ['https://www.google.com', 'https://maps.google.com'];

/** https://docs.stripe.com/security/guide#content-security-policy */
const STRIPE = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
  image: ['https://*.stripe.com'],
};

/** Origins of the card form: Stripe's, or those of a configured sandbox. */
function paymentSources({ scriptUrl, apiUrl }: GatewayConfig['stripe']): typeof STRIPE {
  const script = new URL(scriptUrl).origin;
  const api = new URL(apiUrl).origin;
  if (script === 'https://js.stripe.com') return STRIPE;
  return { script: [script], frame: [script], connect: [...new Set([script, api])], image: [script] };
}

/**
 * The Content-Security-Policy of pages: our own files and the payment provider's only.
 * @param inlineStyles hashes of a page's inline styles
 */
export function contentSecurityPolicy(
  config: Pick<GatewayConfig, 'stripe' | 'web'>,
  inlineStyles: readonly string[] = [],
): string {
  const payment = paymentSources(config.stripe);
  // Vite's development server uses inline styles, an inline reload script and a WebSocket.
  const vite = 'devUrl' in config.web;
  const directives: Directives = {
    'default-src': ["'self'"],
    // Speculation rules fetch the next page ahead, and can run nothing.
    'script-src': [
      "'self'",
      "'inline-speculation-rules'",
      ...payment.script,
      ...(vite ? ["'unsafe-inline'"] : []),
    ],
    'style-src': ["'self'", ...inlineStyles.map((hash) => `'${hash}'`), ...(vite ? ["'unsafe-inline'"] : [])],
    'img-src': ["'self'", 'data:', 'blob:', ...payment.image],
    'font-src': ["'self'"],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'connect-src': ["'self'", ...payment.connect, ...(vite ? ['ws:'] : [])],
    'frame-src': [...payment.frame, ...MAP_EMBEDS],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

/** For API responses, which browsers must not render as documents. */
const NO_DOCUMENT =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const HSTS_SECONDS = 63_072_000;

type HeaderList = readonly (readonly [string, string])[];

export function securityHeaders(config: Pick<GatewayConfig, 'stripe' | 'web' | 'siteUrl'>): HeaderList {
  const payment = paymentSources(config.stripe)
    .frame.map((origin) => (origin.includes('*') ? '' : ` "${origin}"`))
    .join('');
  return [
    ['Content-Security-Policy', contentSecurityPolicy(config)],
    ['X-Content-Type-Options', 'nosniff'],
    // A private link gives access to an order, so other sites must not see it.
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['X-Frame-Options', 'DENY'],
    [
      'Permissions-Policy',
      `camera=(self), geolocation=(self), payment=(self${payment}), microphone=(), usb=(), browsing-topics=()`,
    ],
    ...(config.siteUrl.startsWith('https:')
      ? [['Strict-Transport-Security', `max-age=${HSTS_SECONDS}; includeSubDomains`] as const]
      : []),
  ];
}

export const apiHeaders = (ofPages: HeaderList): HeaderList =>
  ofPages
    .map(([name, value]) => [name, name === 'Content-Security-Policy' ? NO_DOCUMENT : value] as const)
    // Keeps certificates and photos out of search engines.
    .concat([['X-Robots-Tag', 'noindex']]);

/** Pictures that mail programs show: other sites may embed them, as they may any picture whose address they know. */
export const isMailPicture = (path: string): boolean =>
  path.startsWith('/mail/') || /^\/api\/photos\/[^/]+$/.test(path);

/** Lower case; responses of services cannot replace them. */
export const SECURITY_HEADER_NAMES = [
  'content-security-policy',
  'x-content-type-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'x-frame-options',
  'permissions-policy',
  'strict-transport-security',
] as const;

/** Alternating names and values: the cheapest form for writing a head. */
export const flat = (headers: HeaderList): readonly string[] => headers.flat();
