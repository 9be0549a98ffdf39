import { type Role, ROLES } from '@arboleda/contracts/roles.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { servicePrivateKey, signServiceToken } from '@arboleda/chassis/http/service-token.ts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import { PASSWORD } from '../harness/accounts.ts';
import { openDatabase } from '../harness/database.ts';
import { openInbox } from '../harness/inbox.ts';
import { waitFor } from '../harness/wait.ts';
import { openedToken, useTarget } from './target.ts';

jest.setTimeout(120_000);

/** Personal data of one person, unusual enough to be found in any text. */
const PERSON = {
  name: 'Xiomara Quetzalnagual Wvzbrk',
  email: 'xiomara.qwvzbrk@markers.test',
  phone: '+57 399 887 76 65',
  password: 'Zq8-wvzbrk-marker-pass',
  card: '4242 4242 4242 4242',
  reference: 'REF-WVZBRK-7788',
  place: 'Vereda Wvzbrk, casa 7',
};

/** Patterns of personal data and secrets. */
const SHAPES: Record<string, RegExp> = {
  'an address': /[\w.+-]+@[\w-]+\.[a-z]{2,}/gi,
  'a token': /eyJ[\w-]{10,}\.eyJ[\w-]{10,}/g,
  'a bearer': /bearer +[\w.-]{8,}/gi,
  'a key of Stripe': /\b(?:[sr]k|whsec)_(?:test|live)?_?[\w]{16,}/g,
  'a secret of a payment': /\bpi_\w+_secret_\w+/g,
  'a card': /(?<![\w.-])[3-6]\d{3}(?:[ -]?\d{4}){3}(?![\w.-])/g,
  'an address with a password': /\w+:\/\/[^\s/:@]+:[^\s/@]+@/g,
  'a hash of a password': /\$argon2id?\$/g,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY|"d":"[\w-]{20,}"/g,
};

const target = useTarget();
const { product, call, objects, tokens } = target;
/** Texts that must not be found, by name. */
let markers: Record<string, string>;
beforeAll(async () => {
  markers = await leaveMarkers();
});

describe('neither personal data nor secrets are in', () => {
  test('the log, even at level debug', async () => {
    const file = join(product.dataDir, 'logs', 'arboleda.log');
    const log = await waitFor('the log to tell of the last mail', async () => {
      const text = await readFile(file, 'utf8');
      return text.includes('forgot-password') && text;
    });
    expect(found(log)).toEqual([]);
  });

  test.each(SERVICES)('the metrics of %s', async (name) => {
    const metrics = await (await fetch(`${product.serviceUrls[name]}/metrics`)).text();
    expect(metrics).not.toBe('');
    expect(found(metrics)).toEqual([]);
  });

  test('traces', async () => {
    const traces = await waitFor('traces to arrive', async () => (await target.traces()) || undefined);
    expect(found(traces)).toEqual([]);
  });

  test('what failed jobs say', async () => {
    expect(found((await errorsOfJobs()).join('\n'))).toEqual([]);
  });
});

test.each(ROLES)('the session of a %s says no more than it has to', (role: Role) => {
  const allowed = /^(name|email|email_verified|tv|iss|aud|sub|iat|exp|jti|admin_role|otp_at)$/;
  const { claims } = openedToken(tokens[role]);
  expect(Object.keys(claims).filter((name) => !allowed.test(name))).toEqual([]);
});

/** Lists the markers in a text, each with some characters around it. */
function found(text: string): string[] {
  const around = (from: number, length: number) => text.slice(Math.max(0, from - 120), from + length + 40);
  const marked = Object.entries(markers)
    .filter(([, value]) => text.includes(value))
    .map(([name, value]) => `${name}: ${around(text.indexOf(value), value.length)}`);
  const shaped = Object.entries(SHAPES).flatMap(([name, shape]) =>
    [...text.matchAll(shape)].slice(0, 3).map((match) => `${name}: ${around(match.index, match[0].length)}`),
  );
  return [...marked, ...shaped];
}

/** The errors of jobs that failed, as an operator reads them. */
async function errorsOfJobs(): Promise<string[]> {
  await using database = await openDatabase(product.databaseUrl);
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.columns where column_name = 'last_error'`,
  );
  expect(tables).not.toEqual([]);
  const errors: string[] = [];
  for (const { name } of tables) {
    const { rows } = await database.query(`select last_error from ${name} where last_error is not null`);
    errors.push(...rows.map((row) => row.last_error as string));
  }
  return errors;
}

/** Lives through everything that one person meets, also mistakes. */
async function leaveMarkers(): Promise<Record<string, string>> {
  const { name, email, phone, password, card, reference, place } = PERSON;
  const send = async (path: string, init: RequestInit = {}) => {
    await (await fetch(product.url + path, init)).arrayBuffer();
  };
  const post = (path: string, body: object | string) =>
    send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
  const { token } = await call('POST /api/auth/customer/register', { body: { name, email, password } });
  await post('/api/auth/customer/login', { email, password: `${password}-wrong` });
  await post('/api/auth/customer/login', JSON.stringify({ email, password }).slice(0, -3));
  await post('/api/auth/customer/forgot-password', { email });
  await send(`/api/customers/orders?access_token=${token}&email=${email}`);
  await send(`/api/nothing/${email}/${token}`, bearer(token));
  await send('/api/customers/orders', bearer(`${token}x`));
  await send(`/${encodeURIComponent(email)}?token=${token}`);
  // A card number where none belongs.
  await post('/api/pricing/create-payment-intent', { trees: card, customerName: card, customerEmail: email });
  const order = await openDriver(product).buy(email, { trees: 1 });
  await call('PUT /api/admin/orders/{id}', {
    token: tokens.admin,
    params: { id: order.orderId },
    body: { customerName: name, location: place },
  });
  const form = new FormData();
  for (const [field, value] of Object.entries({
    trees: '1',
    packageType: 'individual',
    currency: 'COP',
    customerEmail: email,
    customerName: name,
    customerPhone: phone,
    referenceNumber: reference,
  }))
    form.append(field, value);
  form.append('evidenceFiles', new Blob([`${name} no picture`]), `${name}.jpg`);
  await send('/api/manual-payments/create-order', { method: 'POST', body: form });
  const { text } = await openInbox(product.inboxUrl).mail(email, /reset-password/);
  const mailed = /#(?:role=\w+&)?token=([\w-]+)/.exec(text)![1]!;
  await post('/api/auth/customer/reset-password', { token: mailed, password: 'short' });
  const serviceToken = await signServiceToken(
    servicePrivateKey.parse(product.serviceKeys.orders),
    'orders',
    'media',
  );
  return {
    ...PERSON,
    'the phone in digits': phone.replace(/\D/g, ''),
    'the card in digits': card.replaceAll(' ', ''),
    'the session': token.split('.')[2]!,
    'the link of a mail': mailed,
    'the secret of an order': order.orderToken,
    'another secret of an order': objects.orderToken,
    'the secret of news': objects.newsToken,
    'the secret of a payment': order.client_secret,
    'a service’s token': serviceToken.split('.')[0]!,
    'Stripe’s secret': product.stripeSecretKey,
    'the secret of webhooks': product.stripeWebhookSecret,
    'the password of the database': decodeURIComponent(new URL(product.databaseUrl).password) || PASSWORD,
    'the password of everybody': PASSWORD,
    'the name of others': 'Rosa Prueba',
    ...product.serviceKeys,
  };
}
