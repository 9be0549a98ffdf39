import { VERSION } from '@arboleda/contracts/version.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brokenPromises, freezePromises } from './promises.ts';
import { obstacles, writeRelease } from './release.ts';
import { signed } from './signed.ts';
import { versionsIn, writeVersion } from './version.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Trees in Peru.

## [1.0.0] - 2026-11-30

- First release.
`;

/** The files that a release reads and writes, as if 1.0.0 had just been released, and a copy of them for each test. */
let template: string;
let root: string;
beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'arboleda-released-'));
  const copied = [
    'package.json',
    'package-lock.json',
    'contracts/version.ts',
    'infra/docker/Dockerfile',
    'infra/k8s/images/kustomization.yaml',
    'infra/chassis/adapters/postgres/migrations',
    'services/orders/migrations',
    'web/public/mail',
    'web/public/worker.webmanifest',
  ];
  for (const path of copied) cpSync(join(ROOT, path), join(template, path), { recursive: true });
  writeFileSync(join(template, 'CHANGELOG.md'), CHANGELOG);
  // The tests hold in every release.
  writeVersion(template, '1.0.0');
  await freezePromises(template, '1.0.0');
});
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'arboleda-release-'));
  cpSync(template, root, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));
afterAll(() => rmSync(template, { recursive: true }));

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const write = (path: string, text: string) => writeFileSync(join(root, path), text);
const released = (path: string) => `contracts/released/${path}`;
const change = (path: string, from: string | RegExp, to: string) => {
  const text = read(path);
  expect(text).toMatch(from);
  write(path, text.replace(from, to));
};
const refusal = async (version: string, state = {}) =>
  (await obstacles({ root, released: ['1.0.0'], isDirty: false, ...state }, version)).join('\n');

describe('a release', () => {
  test('writes its version, its changes and what it promises', async () => {
    expect(await refusal('1.1.0')).toBe('');
    const files = await writeRelease(root, '1.1.0', '2027-02-01');
    expect(versionsIn(root).flatMap(({ versions }) => versions)).toEqual(Array(13).fill('1.1.0'));
    expect(read('CHANGELOG.md')).toContain(
      '## [Unreleased]\n\n## [1.1.0] - 2027-02-01\n\n### Added\n\n- Trees in Peru.\n\n## [1.0.0] - 2026-11-30\n',
    );
    expect(files).toEqual(expect.arrayContaining(['CHANGELOG.md', 'package.json', released('openapi.json')]));
    expect(await brokenPromises(root)).toEqual([]);
    const samples = Object.keys(JSON.parse(read(released('signed.json'))) as object);
    expect(samples).toEqual(expect.arrayContaining(['1.0.0 link of an order', '1.1.0 link of an order']));
  });

  test('may be written again until it has its fixture, with the same samples', async () => {
    write('CHANGELOG.md', CHANGELOG.replace('- Trees in Peru.', ''));
    const before = read(released('signed.json'));
    expect(await refusal('1.0.0', { released: [] })).toBe('');
    await writeRelease(root, '1.0.0', '2026-12-01');
    expect(read(released('signed.json'))).toBe(before);
    expect(read('CHANGELOG.md')).toContain('## [1.0.0] - 2026-12-01');
    expect(await refusal('1.0.0')).toBe('1.0.0 is released: choose a higher version.');
  });

  test.each([
    ['1.1', '"1.1" is no version: write it like 1.1.0.'],
    ['v1.1.0', '"v1.1.0" is no version: write it like 1.1.0.'],
    ['0.9.9', '0.9.9 is lower than 1.0.0.'],
  ])('%s is refused', async (version, sentence) => {
    expect(await refusal(version)).toBe(sentence);
  });

  test('is refused without a line in the changelog, or with changes that are not committed', async () => {
    write('CHANGELOG.md', CHANGELOG.replace('- Trees in Peru.', ''));
    expect(await refusal('1.1.0')).toMatch(/^CHANGELOG\.md has nothing under Unreleased/);
    expect(await refusal('1.1.0', { isDirty: true })).toMatch(/^There are changes that are not committed/);
  });

  test('is refused where a file says another version, or a release has no fixture', async () => {
    change('infra/docker/Dockerfile', 'version="1.0.0"', 'version="0.9.0"');
    expect(await refusal('1.1.0')).toBe('infra/docker/Dockerfile says 0.9.0, not 1.0.0.');
    expect(await refusal('1.1.0', { released: [] })).toMatch(/^1\.0\.0 has no fixture/m);
  });

  test('is refused when it breaks what was promised', async () => {
    appendFileSync(join(root, 'services/orders/migrations/001_orders.sql'), '\n');
    expect(await refusal('1.1.0')).toMatch(/001_orders\.sql has changed since its release/);
  });
});

test('every file says the version of this code', () => {
  for (const { file, versions } of versionsIn(ROOT))
    expect([file, ...new Set(versions)]).toEqual([file, VERSION]);
});

describe('npm test is red, and names the file and what to do,', () => {
  const broken = async (sentence: RegExp) =>
    expect(await brokenPromises(root)).toEqual([expect.stringMatching(sentence)]);

  test('when nothing changed it is not', async () => {
    expect(await brokenPromises(root)).toEqual([]);
  });

  test('when a released migration changes or goes', async () => {
    const file = 'services/orders/migrations/001_orders.sql';
    appendFileSync(join(root, file), '-- more\n');
    await broken(/^services\/orders\/migrations\/001_orders\.sql has changed .* add a new numbered file/);
    rmSync(join(root, file));
    await broken(/^services\/orders\/migrations\/001_orders\.sql is gone/);
  });

  test('not when a migration is added', async () => {
    write('services/orders/migrations/002_more.sql', 'select 1;\n');
    expect(await brokenPromises(root)).toEqual([]);
  });

  test('when an event loses a field', async () => {
    change(released('events.jsonl'), '"receiptNumber":{', '"paidWith":{"type":"string"},"receiptNumber":{');
    await broken(/^contracts\/events\/index\.ts: order\.created\.paidWith: the field is gone\. Only add/);
  });

  test('when a released event can no longer be read', async () => {
    change(released('event-samples.jsonl'), /("type":"order\.planted".*?"data":\{)"orderId":"[^"]*",/, '$1');
    await broken(/^contracts\/events\/index\.ts: a released order\.planted can no longer be read, orderId/);
  });

  test('when a call is gone, until it is said why nobody depends on it', async () => {
    change(
      released('openapi.json'),
      '"/api/stats":',
      '"/api/figures":{"get":{"responses":{},"security":[]}},"/api/stats":',
    );
    await broken(/^contracts\/endpoints: GET \/api\/figures: the call is gone\. Keep it/);
    const reason = '{"GET /api/figures: the call is gone": "It never answered anything."}';
    write(released('accepted.json'), reason);
    expect(await brokenPromises(root)).toEqual([]);
    await freezePromises(root, '1.1.0');
    expect(read(released('accepted.json'))).toBe('{}\n');
    write(released('accepted.json'), reason);
    await broken(/accepted\.json: "GET \/api\/figures: the call is gone" is no change; remove it/);
  });

  test.each([
    [
      '/api/parcels/Zk3vX1qTz8mYw2LpQe7R9a',
      /links\.json: \/api\/parcels\/.* was sent by 1\.0\.0, and no call answers it/,
    ],
    ['/api/photos/Zk3vX1qTz8mYw2LpQe7R9a.jpg?wide=1', /its call no longer takes wide/],
    ['/mail/felled.jpg', /web\/public lacks it/],
  ])('when %s leads nowhere', async (link, sentence) => {
    change(released('links.json'), '{\n', `{\n  "${link}": "1.0.0",\n`);
    await broken(sentence);
  });

  test.each([
    ['link of an order', 'infra/chassis/order-token.ts'],
    ['link of a gift', 'infra/chassis/order-token.ts'],
    ['address that declined gifts', 'infra/chassis/keyed-digest.ts'],
    ['emailed token in an event', 'infra/chassis/sealed.ts'],
    ['emailed token in the database', 'services/auth/accounts/links.ts'],
    ['password', 'services/auth/passwords/passwords.ts'],
    ['second factor', 'services/auth/second-factor/vault.ts'],
    ['recovery code', 'services/auth/second-factor/vault.ts'],
    ['code of a certificate', 'contracts/certificate-code.ts'],
    ['keyword in the PDF of a certificate', 'contracts/certificate-code.ts'],
    ['number of a receipt', 'services/orders/documents/numbers.ts'],
    ['reference of a transfer', 'services/payments/transfers/transfer.ts'],
  ])('when the %s of a release is no longer accepted', async (name, file) => {
    const samples = JSON.parse(read(released('signed.json'))) as Record<string, string>;
    // Near the middle, where the characters of base64 carry no unused bits.
    const at = Math.floor(samples[`1.0.0 ${name}`]!.length / 2);
    samples[`1.0.0 ${name}`] = samples[`1.0.0 ${name}`]!.replace(/./g, (letter, index) =>
      index === at ? (letter === '1' ? '2' : '1') : letter,
    );
    expect(await signed.broken(JSON.stringify(samples), root)).toEqual([
      `${file} no longer accepts the ${name} of 1.0.0: accept both forms, and make only the new one.`,
    ]);
  });

  test('when a file of the release is gone', async () => {
    rmSync(join(root, released('links.json')));
    await broken(/^contracts\/released\/links\.json is gone/);
  });
});

test('a new kind of link is added to those of earlier releases', async () => {
  write(released('links.json'), '{\n  "/orders/other": "0.9.0"\n}\n');
  await freezePromises(root, '1.1.0');
  const links = JSON.parse(read(released('links.json'))) as Record<string, string>;
  expect(links['/orders/other']).toBe('0.9.0');
  expect(links['/verify']).toBe('1.1.0');
});
