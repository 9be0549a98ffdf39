import {
  type Endpoint,
  type EndpointKey,
  isInternal,
  methodOf,
  pathOf,
  rolesOf,
} from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { mayDo } from '@arboleda/contracts/permissions.ts';
import { PHOTO_WIDTHS } from '@arboleda/contracts/photo.ts';
import { openClient } from '@arboleda/contracts/client.ts';
import { ROW_LISTS } from '@arboleda/contracts/statement.ts';
import { gunzipSync } from 'node:zlib';
import { fillPath, hasParameters } from '../../api/objects.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { totp } from '../../driver/totp.ts';
import { inTurn } from '../../harness/wait.ts';
import { hashOf } from '../rehearsal/fingerprint.ts';
import type { Login } from './people.ts';

/** Everything that opens an installation: logins, private links, and tokens in mails. */
export interface Keys {
  people: Record<string, Login>;
  /** Private links, with the address that the order was made with. */
  orders: { token: string; email: string }[];
  gifts: string[];
  /** Codes of all versions. */
  certificates: string[];
  /** From links to unsubscribe. */
  news: string[];
  /** Paths of links in mails. */
  links: string[];
}

/** Answers by role and call: "finance GET /api/admin/payments". */
export type Seen = Record<string, unknown>;

/** Calls that say nothing about an installation's data. */
const LEFT_OUT: Partial<Record<EndpointKey, string>> = {
  'GET /api/config': 'settings and addresses of the running copy',
  'GET /api/pricing/dynamic': 'prices of today’s code and rates',
  'GET /api/pricing/packages': 'prices of today’s code and rates',
  'GET /api/manual-payments/reference': 'a new one each time',
  'GET /api/certificates/context': 'says nothing of one installation',
  'GET /api/admin/audit-log/export': 'the rows of GET /api/admin/audit-log',
};

const READ = (Object.entries(ENDPOINTS) as [EndpointKey, Endpoint][])
  .filter(([key, { stream }]) => methodOf(key) === 'GET' && !isInternal(pathOf(key)) && !stream)
  .filter(([key]) => !(key in LEFT_OUT))
  // Lists first, which name what the others are about, and pictures last.
  .sort(([a], [b]) => rankOf(a) - rankOf(b));

function rankOf(key: EndpointKey): number {
  return Number(hasParameters(key)) + Number(key.includes('{filename}'));
}

/** Calls by private link that change nothing and need the buyer's address. */
const READ_BY_BUYER = [
  'POST /api/track/{token}/receipt',
  'POST /api/track/{token}/gift',
  'POST /api/track/{token}/gift/card',
] as const;

/** Queries that together show all; one without any otherwise. */
const QUERIES: Partial<Record<EndpointKey, readonly string[]>> = {
  'GET /api/admin/manual-payments/pending-verification': ['?status=all'],
  'GET /api/admin/statement-rows': ROW_LISTS.map((list) => `?list=${list}`),
  'GET /api/photos/{filename}': PHOTO_WIDTHS.map((width) => `?w=${width}`),
};

const CALLS_AT_ONCE = 8;
/** Admins other than the first one open only so many things of a list, as the same code shows them. */
const FEW = 2;

/**
 * All that people can see or open: the answers of every GET call that they may make, page by page, about everything that
 * they are shown; what private links lead to; pictures by their hash. Works in both tiers, and writes nothing but logins.
 * @param url where the installation answers
 */
export async function see(url: string, keys: Keys): Promise<Seen> {
  const seen: Seen = {};
  const viewers = await enter(url, keys);
  const ask = async (requests: readonly string[]) =>
    Object.assign(seen, await answers(url, keys, viewers, requests));
  for (const [name, { may, most }] of Object.entries(viewers)) {
    const found = new Found(keys, most);
    for (const [key] of READ.filter(([, endpoint]) => may(endpoint))) {
      const paths = found.parametersOf(key).map((parameters) => fillPath(key, parameters));
      const queries = QUERIES[key] ?? [''];
      const requests = paths.flatMap((path) => queries.map((query) => `${name} GET ${path}${query}`));
      await ask(requests);
      for (const request of requests) found.add(key, seen[request]);
    }
  }
  await ask(keys.orders.flatMap(({ token }) => READ_BY_BUYER.map((key) => `buyer ${fill(key, { token })}`)));
  await ask(keys.links.map((link) => `anybody GET ${link}`));
  return seen;
}

const fill = (key: EndpointKey, parameters: Record<string, string>): string =>
  `${methodOf(key)} ${fillPath(key, parameters)}`;

/** Asks again exactly what was asked before, whatever the contract says today. */
export const seeAgain = async (url: string, keys: Keys, requests: readonly string[]): Promise<Seen> =>
  answers(url, keys, await enter(url, keys, new Set(requests.map((one) => one.split(' ')[0]!))), requests);

interface Viewer {
  token?: string;
  may: (endpoint: Endpoint) => boolean;
  most?: number;
}

/** @param only these log in: an authenticator's code works once */
async function enter(
  url: string,
  { people }: Keys,
  only?: ReadonlySet<string>,
): Promise<Record<string, Viewer>> {
  const call = openClient(url);
  const viewers: Record<string, Viewer> = { anybody: { may: ({ access }) => access === 'public' } };
  for (const [name, { role, email, password, secret }] of Object.entries(people)) {
    if (only && !only.has(name)) continue;
    const body = { email, password, ...(secret && { code: totp(secret, Date.now()) }) };
    const { token, user } = await call(`POST /api/auth/${role}/login`, { body });
    const adminRole = 'adminRole' in user ? user.adminRole : undefined;
    viewers[name] = {
      token,
      may: ({ access, permission }) =>
        rolesOf(access).includes(role) && (role !== 'admin' || mayDo(adminRole, permission)),
      ...(role === 'admin' && name !== 'owner' && { most: FEW }),
    };
  }
  return viewers;
}

/** @param requests "finance GET /api/admin/payments" */
async function answers(
  url: string,
  { orders }: Keys,
  viewers: Record<string, Viewer>,
  requests: readonly string[],
): Promise<Seen> {
  const ask = async (request: string): Promise<unknown> => {
    const [who = '', method = '', path = ''] = request.split(' ');
    const token = viewers[who]?.token;
    const buyer = orders.find((order) => path.startsWith(`/api/track/${order.token}/`));
    return allPages(new URL(path, url), {
      method,
      headers: {
        Accept: TYPES,
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(method === 'POST' && JSON_BODY),
      },
      body: method === 'POST' ? JSON.stringify({ email: buyer!.email }) : null,
      redirect: 'manual',
    });
  };
  const all = await inTurn(requests.length, (index) => ask(requests[index]!), CALLS_AT_ONCE);
  return Object.fromEntries(requests.map((request, index) => [request, all[index]]));
}

/** The JPEG of a picture is made first. */
const TYPES = 'application/json, text/html, application/pdf, text/csv, image/jpeg';
const JSON_BODY = { 'Content-Type': 'application/json' };

const ORDER_ID = /"(?:_id|orderId)":"([0-9a-f]{24})"/g;
const PAYMENT_ID = /"paymentId":"([\w-]{36})"/g;
const PICTURE = /"([\w-]{22}\.jpg)"/g;
const OWN_ID = /"id":"([\w-]+)"/g;

/** Ids in what somebody was shown: what the other calls can be asked about. */
class Found {
  #keys: Keys;
  #most: number | undefined;
  #orders = new Set<string>();
  #payments = new Set<string>();
  #pictures = new Set<string>();
  #workers = new Set<string>();
  #mails = new Set<string>();

  constructor(keys: Keys, most?: number) {
    this.#keys = keys;
    this.#most = most;
  }

  add(key: EndpointKey, answer: unknown): void {
    const text = JSON.stringify(answer);
    const take = (ids: Set<string>, pattern: RegExp) => {
      for (const [, id] of text.matchAll(pattern)) ids.add(id!);
    };
    take(this.#orders, ORDER_ID);
    take(this.#payments, PAYMENT_ID);
    take(this.#pictures, PICTURE);
    if (key === 'GET /api/admin/workers') take(this.#workers, OWN_ID);
    if (key === 'GET /api/admin/mails') take(this.#mails, OWN_ID);
  }

  /** @throws when nobody said what the parameters of a path name: a new path is to be added here */
  parametersOf(key: EndpointKey): Record<string, string>[] {
    if (!hasParameters(key)) return [{}];
    const keys = this.#keys;
    const values: [RegExp, string, Iterable<string>][] = [
      [/^\/api\/track\//, 'token', keys.orders.map(({ token }) => token)],
      [/^\/api\/gifts\//, 'token', keys.gifts],
      [/^\/api\/mail\//, 'token', keys.news],
      [/^\/api\/certificates\//, 'code', keys.certificates],
      [/^\/api\/certificate-status\//, 'list', ['0']],
      [/\/orders\/\{id\}/, 'id', this.#orders],
      [/\/payments\/\{id\}/, 'id', this.#payments],
      [/\/workers\/\{id\}/, 'id', this.#workers],
      [/\/mails\/\{id\}/, 'id', this.#mails],
      [/\{filename\}/, 'filename', this.#pictures],
    ];
    const named = values.find(([pattern]) => pattern.test(pathOf(key)));
    if (!named) throw new Error(`what do the parameters of ${key} name? Say so in ${import.meta.filename}`);
    return [...named[2]]
      .sort()
      .slice(0, this.#most)
      .map((value) => ({ [named[1]]: value }));
  }
}

/** The first page with the rows of all. */
async function allPages(url: URL, init: RequestInit): Promise<unknown> {
  let whole: Record<string, unknown> | undefined;
  let cursor: string | undefined;
  do {
    if (cursor !== undefined) url.searchParams.set('cursor', cursor);
    const answer = await answerOf(await asked(url, init));
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
    const { nextCursor, ...page } = answer as Record<string, unknown>;
    cursor = nextCursor as string | undefined;
    whole = whole === undefined ? page : withRowsOf(whole, page);
  } while (cursor !== undefined);
  return whole;
}

/** Asks again when a product that is too busy says so, like any caller. */
async function asked(url: URL, init: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init);
    const seconds = Number(response.headers.get('retry-after'));
    if (response.status !== 503 || !(seconds > 0)) return response;
    await response.body?.cancel();
    await sleep(seconds * 1_000);
  }
}

/** The rows of a page are in its one list that the next page has too. */
function withRowsOf(whole: Record<string, unknown>, page: Record<string, unknown>) {
  const [rows] = Object.keys(page).filter((name) => Array.isArray(page[name]));
  return { ...whole, [rows!]: [...(whole[rows!] as unknown[]), ...(page[rows!] as unknown[])] };
}

async function answerOf(response: Response): Promise<unknown> {
  const { status, headers } = response;
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const bytes = Buffer.from(await response.arrayBuffer());
  if (status >= 300 && status < 400) return `leads to ${headers.get('location')}`;
  if (type === 'application/problem+json')
    return `refused: ${status} ${(JSON.parse(bytes.toString()) as { type: string }).type}`;
  if (!response.ok) return `answered ${status}`;
  if (/\b(json|vc)\b/.test(type)) return opened(JSON.parse(bytes.toString()));
  if (type.startsWith('image/')) return `${type} ${hashOf(bytes)}`;
  if (type === 'text/csv') return rowsOf(bytes.toString());
  // Typeset for each call, and a later release may do it otherwise.
  if (type === 'application/pdf') return bytes.subarray(0, 5).toString() === '%PDF-' ? type : 'no PDF';
  return type;
}

/** Two compressed lists may differ though they say the same. */
function opened(answer: { credentialSubject?: { encodedList?: string } }): unknown {
  const { encodedList } = answer.credentialSubject ?? {};
  if (encodedList === undefined) return answer;
  const bits = gunzipSync(Buffer.from(encodedList.slice(1), 'base64url'));
  return { ...answer, credentialSubject: { ...answer.credentialSubject, encodedList: hashOf(bits) } };
}

/** Rows by column, so that a new column is no difference. Cells with commas stay in quotes. */
function rowsOf(csv: string): Record<string, string>[] {
  const lines = csv
    .replace(/^\ufeff/, '')
    .split('\r\n')
    .filter(Boolean);
  const [names = [], ...rows] = lines.map((line) =>
    line.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)!.map((cell) => cell.replace(/,$/, '')),
  );
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}
