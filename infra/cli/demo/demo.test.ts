import { newServiceKeys } from '@arboleda/chassis/http/service-token.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { silentProgress } from '../terminal/progress.ts';
import { DEMO_ACCOUNTS, DEMO_CUSTOMER } from './accounts.ts';
import { makeDemo } from './demo.ts';
import { DEMO_ORDERS, DEMO_TRANSFERS, placeIn } from './orders.ts';
import { exifDegrees, fieldPhoto, PHOTOS } from './photos.ts';

describe('the accounts', () => {
  let dir: string;
  let server: Server;
  /** Passwords by email address, as in the database. */
  let accounts: Map<string, string>;

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'arboleda-demo-'));
    accounts = new Map();
    server = createServer(async (request, response) => {
      const { email, password } = JSON.parse(await text(request)) as Record<string, string>;
      const isLogIn = request.url!.endsWith('/login');
      if (!isLogIn) accounts.set(email!, password!);
      const isRight = accounts.get(email!) === password;
      response.writeHead(isRight ? 200 : 401, { 'Content-Type': 'application/json' }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
    rmSync(dir, { recursive: true });
  });

  /** A start of the demo, up to its accounts. */
  async function start(): Promise<void> {
    const said: string[] = [];
    const authUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const site = {
      url: authUrl,
      gatewayUrl: authUrl,
      inboxUrl: undefined,
      sandboxUrl: undefined,
      dataDir: dir,
      isDemo: true,
      demoPassword: 'ceiba-niebla-4821-roble',
      env: { AUTH_URL: authUrl, OPERATOR_SERVICE_KEY: newServiceKeys().operator },
    };
    await makeDemo(site, { ...silentProgress, say: (line) => void said.push(line) }).done;
    expect(said).toEqual([]);
  }
  const state = () => JSON.parse(readFileSync(join(dir, 'demo.json'), 'utf8')) as Record<string, string>;

  test('are created once, and keep a changed password', async () => {
    await start();
    const { seed } = state();
    expect(statSync(join(dir, 'demo.json')).mode & 0o077).toBe(0);
    accounts.set(DEMO_ACCOUNTS[0]!.email, 'chosen by its person');
    await start();
    expect(accounts.get(DEMO_ACCOUNTS[0]!.email)).toBe('chosen by its person');
    expect(state().seed).toBe(seed);
  });

  test('are created again with the orders after a change of the database', async () => {
    await start();
    const { seed } = state();
    writeFileSync(join(dir, 'demo.json'), JSON.stringify({ ...state(), ordersDone: true }));
    accounts.clear();
    await start();
    expect([...accounts.keys()].sort()).toEqual(DEMO_ACCOUNTS.map(({ email }) => email).sort());
    expect(state().seed).not.toBe(seed);
    expect(state()).not.toHaveProperty('ordersDone');
  });
});

test('writes degrees as EXIF fractions', () => {
  expect(exifDegrees(4.6462)).toBe('4/1 38/1 463200/10000');
  expect(exifDegrees(-75.5)).toBe('75/1 30/1 0/10000');
});

test('a photo is a JPEG with place and time', async () => {
  const { buffer } = await fieldPhoto(
    'ph-leaf.jpg',
    { latitude: 4.6462, longitude: -75.5861 },
    new Date('2026-03-01T10:11:12Z'),
  );
  const { format, exif } = await sharp(buffer).metadata();
  expect(format).toBe('jpeg');
  expect(exif!.toString('latin1')).toContain('2026:03:01 10:11:12');
});

test('a photo is the same each time', async () => {
  const make = () => fieldPhoto('ph-leaf.jpg', { latitude: 4, longitude: -75 }, new Date(0));
  expect(await make()).toEqual(await make());
});

test('the demo has orders in every status and both languages, with existing photos', () => {
  expect(new Set(DEMO_ORDERS.map((order) => order.until)).size).toBe(4);
  expect(new Set(DEMO_ORDERS.map((order) => order.language))).toEqual(new Set(['en', 'es']));
  const photos = readdirSync(join(import.meta.dirname, 'photos'));
  for (const { photos: names } of DEMO_ORDERS) expect(photos).toEqual(expect.arrayContaining([...names]));
});

test('orders of one region lie close together, in Colombia', () => {
  const [first, second] = [placeIn('Cauca', 0), placeIn('Cauca', 1)];
  expect(first.coordinates).not.toEqual(second.coordinates);
  expect(first.coordinates.latitude).toBeCloseTo(2.6415);
});

test('has a waiting, an approved and a rejected transfer, in English and Spanish', () => {
  expect(DEMO_TRANSFERS.map(({ decision }) => decision.kind).toSorted()).toEqual([
    'approved',
    'rejected',
    'waits',
  ]);
  expect(new Set(DEMO_TRANSFERS.map(({ language }) => language))).toEqual(new Set(['en', 'es']));
});

test('every transfer has its own readable receipt', async () => {
  const receipts = DEMO_TRANSFERS.map(({ evidence }) => evidence);
  expect(new Set(receipts).size).toBe(receipts.length);
  for (const receipt of receipts) {
    const { format, height } = await sharp(fileURLToPath(new URL(receipt, PHOTOS))).metadata();
    expect([format, height]).toEqual(['jpeg', 1320]);
  }
});

test('the statement to try names two of the transfers', async () => {
  const statement = await readFile(new URL('../../../docs/bank-statement-demo.csv', import.meta.url), 'utf8');
  const written = statement.toUpperCase().replaceAll('-', '');
  const named = DEMO_TRANSFERS.filter(({ reference }) => written.includes(reference.replace('-', '')));
  expect(named.map(({ key }) => key)).toEqual(['school', 'neighbours']);
});

test('orders and transfers have unique keys', () => {
  const all = [...DEMO_ORDERS, ...DEMO_TRANSFERS];
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
});

test('growth updates are bought by a customer with a login, for planted trees', () => {
  const growing = DEMO_ORDERS.filter(({ growth }) => growth);
  expect(growing.length).toBeGreaterThan(0);
  for (const { customer, until } of growing) {
    expect(customer.email).toBe(DEMO_CUSTOMER.email);
    expect(until).toBe('planted');
  }
});

test('refunds are partial', () => {
  const refunds = DEMO_ORDERS.flatMap(({ trees, office }) =>
    office?.refund ? [office.refund.trees / trees] : [],
  );
  expect(refunds.length).toBeGreaterThan(0);
  for (const part of refunds) expect(part).toBeLessThan(1);
});
