import { certificatePath } from '@arboleda/contracts/certificate-code.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { schemaPath } from '@arboleda/contracts/events/catalogue.ts';
import { GIFT_CARDS } from '@arboleda/contracts/gift.ts';
import { ORGANISATION } from '@arboleda/contracts/organisation.ts';
import { LANGUAGES } from '@arboleda/contracts/roles.ts';
import { routeTable } from '@arboleda/gateway/api/routes.ts';
import { docsHandler } from '@arboleda/gateway/docs/handler.ts';
import { writeMail } from '@arboleda/notifications/mails/index.ts';
import { MAIL_KINDS, SAMPLES } from '@arboleda/notifications/mails/kinds.ts';
import { cardPath, unsubscribeUrl } from '@arboleda/notifications/mails/links.ts';
import { contextUrl } from '@arboleda/orders/certificate/credential.ts';
import { statusListUrl } from '@arboleda/orders/certificate/status-list.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf, type Promised } from './promised.ts';

const SITE = 'https://arboleda.example';
const TOKEN = 'aB3dE5fG7hJ9kL1mN3pQ5r';
const ORDER_ID = '65f0c0ffee65f0c0ff9f3c1a';

/** Addresses that were never in an email: on paper, in credentials, at Stripe, in bookmarks and in programs. */
const ELSEWHERE = [
  '/',
  '/verify',
  certificatePath('K7QF-M2XD-9WBN'),
  `/g/${TOKEN}`,
  `/customer-portal?package=success&order=${ORDER_ID}`,
  `/customer-portal?package=cancelled&order=${ORDER_ID}`,
  `/customer-portal?growth=${ORDER_ID}`,
  '/customer-portal/account',
  '/forgot-password',
  '/customer-portal.html',
  '/worker-portal.html',
  '/admin-dashboard.html',
  '/admin-dashboard?view=transfers',
  ...GIFT_CARDS.map(cardPath),
  '/worker.webmanifest',
  '/.well-known/did.json',
  '/api/certificates/K7QF-M2XD-9WBN/credential',
  '/api/certificates/K7QF-M2XD-9WBN/document',
  '/api/version',
  '/api/docs',
  '/api/openapi.json',
  '/api/events',
  '/api/asyncapi.json',
  schemaPath('order.created', 1),
];

/** Every link of every email, in all languages. */
const inMails = (): string[] =>
  MAIL_KINDS.flatMap((kind) =>
    LANGUAGES.flatMap((language) => {
      const to = { name: 'Lucía Peña', language };
      const { html, text } = writeMail({ kind, facts: SAMPLES[kind], to }, SITE, TOKEN);
      const addresses = `${html.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=')}\n${text}`;
      return (addresses.match(/https:\/\/arboleda\.example[^\s"'<>)]*/g) ?? []).map((url) =>
        url.slice(SITE.length),
      );
    }),
  );

/** Links as today's code sends them: path, query and fragment. */
const linksNow = (): string[] => [
  ...[...inMails(), ...ELSEWHERE].map((link) => link || '/'),
  ...[unsubscribeUrl(SITE, TOKEN), contextUrl(SITE), statusListUrl(SITE, 0)].map((url) =>
    url.slice(SITE.length),
  ),
];

/** The link without its tokens, by which two links are of the same kind: "/reset-password#role&token". */
function shapeOf(link: string): string {
  const { pathname, searchParams, hash } = new URL(link, SITE);
  const path = pathname.replace(/[^/]*[A-Z0-9][^/]*/g, '*');
  const query = [...searchParams.keys()].join('&');
  const fragment = [...new URLSearchParams(hash.slice(1)).keys()].join('&');
  return `${path}${query && `?${query}`}${fragment && `#${fragment}`}`;
}

/** Links of all releases, each with the first one that sent it. Tokens are made up. */
export const links: Promised = {
  file: 'links.json',
  freeze(_root, version, before = '{}') {
    const released = JSON.parse(before) as Record<string, string>;
    const known = new Set(Object.keys(released).map(shapeOf));
    const added: Record<string, string> = {};
    for (const link of linksNow()) {
      if (known.has(shapeOf(link))) continue;
      known.add(shapeOf(link));
      added[link] = version;
    }
    return linesOf({ ...released, ...added });
  },
  broken(released, root) {
    const docs = docsHandler({ siteUrl: SITE, organisation: ORGANISATION });
    const routes = routeTable(ENDPOINTS);
    return Object.entries(JSON.parse(released) as Record<string, string>).flatMap(([link, version]) => {
      const { pathname, searchParams } = new URL(link, SITE);
      const sentence = (what: string) => [
        `contracts/released/links.json: ${link} was sent by ${version}, and ${what}. Answer it, or send a redirect.`,
      ];
      if (docs.owns(pathname)) return [];
      if (/^\/(api|\.well-known)\//.test(pathname)) {
        const match = routes('GET', pathname);
        if (match.kind !== 'route') return sentence('no call answers it');
        const unknown = [...searchParams.keys()].find((name) => !match.route.queryNames.has(name));
        return unknown === undefined ? [] : sentence(`its call no longer takes ${unknown}`);
      }
      const isFile = /\.(?!html$)\w+$/.test(pathname);
      return isFile && !existsSync(join(root, 'web/public', pathname)) ? sentence('web/public lacks it') : [];
    });
  },
};
