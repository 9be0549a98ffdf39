import type { GatewayConfig } from './config.ts';

type Directives = Record<string, readonly string[]>;

/** The product spec shows the place of planting in a satellite embed. */
const MAP_EMBEDS = ['https://www.google.com', 'https://maps.google.com'];

/** https://docs.stripe.com/security/guide#content-security-policy */
const STRIPE = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
  image: ['https://*.stripe.com'],
};

/** Where the card form comes from: Stripe's hosts, or those of a server that takes its place. */
function paymentSources({ scriptUrl, apiUrl }: GatewayConfig['stripe']): typeof STRIPE {
  const script = new URL(scriptUrl).origin;
  const api = new URL(apiUrl).origin;
  if (script === 'https://js.stripe.com') return STRIPE;
  return { script: [script], frame: [script], connect: [...new Set([script, api])], image: [script] };
}

/**
 * The Content-Security-Policy of pages: our own files, the payment provider's, and nothing else.
 * @param inlineStyles hashes of the styles that a page brings along
 */
export function contentSecurityPolicy(
  config: Pick<GatewayConfig, 'stripe' | 'web'>,
  inlineStyles: readonly string[] = [],
): string {
  const payment = paymentSources(config.stripe);
  // Vite's development server puts styles and its reload script inline and talks over a web socket.
  const vite = 'devUrl' in config.web;
  const directives: Directives = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...payment.script, ...(vite ? ["'unsafe-inline'"] : [])],
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

/** Of answers to calls: data and pictures, which are no document of ours whatever a browser takes them for. */
const NO_DOCUMENT =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const HSTS_SECONDS = 63_072_000;

type HeaderList = readonly (readonly [string, string])[];

/** What every answer carries. */
export function securityHeaders(config: Pick<GatewayConfig, 'stripe' | 'web' | 'siteUrl'>): HeaderList {
  const payment = paymentSources(config.stripe)
    .frame.map((origin) => (origin.includes('*') ? '' : ` "${origin}"`))
    .join('');
  return [
    ['Content-Security-Policy', contentSecurityPolicy(config)],
    ['X-Content-Type-Options', 'nosniff'],
    // A private link is all it takes to see an order: no other site is to learn it.
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

/** What every answer to a call carries. */
export const apiHeaders = (ofPages: HeaderList): HeaderList =>
  ofPages.map(([name, value]) => [name, name === 'Content-Security-Policy' ? NO_DOCUMENT : value] as const);

/** Lower case; a service's answer cannot replace them. */
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

/** Names and values in turn, the form in which an answer's head is written at the least cost. */
export const flat = (headers: HeaderList): readonly string[] => headers.flat();
