import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { WaitingEvent } from '@arboleda/chassis/backup/events.ts';
import { type Header, toFrame, withEnding } from '@arboleda/chassis/backup/format.ts';
import { all } from '@arboleda/chassis/testing/all.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { contradictions, lasting, sentenceOf } from './agreement.ts';
import { readFolder, restored, tableOf } from './command.ts';
import { backUp, restore } from './embedded.ts';
import { checkFiles, DATA, decompressed, isNewer, openBackupFolder, readManifest } from './files.ts';
import { identityIn, requireSameIdentity, secretsOf, settingsOf, withIdentity } from './identity.ts';
import { openLedger, readEvents, readPart, writeEvents, writePart } from './parts.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'arboleda-backup-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

async function* each<T>(parts: readonly T[]) {
  yield* parts;
}

const ABOUT = {
  tier: 'npm start' as const,
  migrations: {},
  auditHeads: [],
  counts: { 'orders.orders': 2 },
};

async function aBackup(): Promise<string> {
  const folder = join(dir, 'backup');
  const to = await openBackupFolder(folder);
  await to.compress('orders.zst', each([Buffer.from('trees')]));
  await to.write('secrets.json', '{}');
  await to.finish(ABOUT, new Date(0));
  return folder;
}

const changeManifest = (folder: string, change: object) => {
  const file = join(folder, 'manifest.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change }));
};

describe('a backup', () => {
  test('says what it holds, of which version, and only its owner may read it', async () => {
    const folder = await aBackup();
    expect(await readManifest(folder)).toMatchObject({
      ...ABOUT,
      version: VERSION,
      madeAt: new Date(0).toISOString(),
    });
    for (const path of ['manifest.json', DATA, `${DATA}/orders.zst`])
      expect(statSync(join(folder, path)).mode & 0o077).toBe(0);
    expect(Buffer.concat(await all(decompressed(folder, 'orders.zst'))).toString()).toBe('trees');
  });

  test('is valid until one byte changes', async () => {
    const folder = await aBackup();
    const manifest = await readManifest(folder);
    await checkFiles(folder, manifest);
    writeFileSync(join(folder, DATA, 'secrets.json'), '[]');
    await expect(checkFiles(folder, manifest)).rejects.toThrow('secrets.json is not as it was written');
    rmSync(join(folder, DATA, 'secrets.json'));
    await expect(checkFiles(folder, manifest)).rejects.toThrow('secrets.json is missing');
  });

  test.each<[string, (folder: string) => void, string]>([
    ['that broke off', (folder) => rmSync(join(folder, 'manifest.json')), 'no whole backup'],
    [
      'of a newer version',
      (folder) => changeManifest(folder, { version: '99.0.0' }),
      'made by version 99.0.0',
    ],
    ['from before 1.0', (folder) => changeManifest(folder, { format: 1 }), 'made before version 1.0'],
    ['whose description is damaged', (folder) => changeManifest(folder, { files: 7 }), 'damaged'],
    [
      'whose description is no JSON',
      (folder) => writeFileSync(join(folder, 'manifest.json'), '{'),
      'damaged',
    ],
    [
      'of which a file is damaged',
      (folder) => writeFileSync(join(folder, DATA, 'orders.zst'), 'x'),
      'damaged',
    ],
  ])('%s is refused, and nothing changes', async (_what, spoil, says) => {
    const folder = await aBackup();
    spoil(folder);
    const data = join(dir, 'data');
    await expect(restore({ DATA_DIR: data }, folder)).rejects.toThrow(says);
    expect(() => statSync(data)).toThrow('ENOENT');
  });

  test('is restored only into an empty folder, and under its own secrets', async () => {
    const folder = await aBackup();
    mkdirSync(join(dir, 'full'));
    writeFileSync(join(dir, 'full', 'a.txt'), 'trees');
    await expect(restore({ DATA_DIR: join(dir, 'full') }, folder)).rejects.toThrow('is not empty');
    await expect(restore({ DATABASE_URL: 'postgres://x' }, folder)).rejects.toThrow('DATABASE_URL');
  });

  test('of nothing, or over another backup, is refused', async () => {
    await expect(backUp({ DATA_DIR: join(dir, 'none') }, join(dir, 'b'))).rejects.toThrow(
      'nothing to back up',
    );
    writeFileSync(join(dir, 'secrets.json'), '{}');
    await expect(backUp({ DATA_DIR: dir }, await aBackup())).rejects.toThrow('a new folder');
  });

  test.each([
    ['1.0.0', '1.0.0', false],
    ['1.0.1', '1.0.0', true],
    ['1.10.0', '1.9.9', true],
    ['0.9.9', '1.0.0', false],
    ['2.0.0', '1.99.0', true],
  ])('of version %s at %s is newer: %s', (one, other, says) => expect(isNewer(one, other)).toBe(says));
});

describe('parts', () => {
  const event = (id: string, type: string, sequence: number, data: object) => ({
    id,
    type,
    key: 'k',
    version: 1,
    sequence,
    occurredAt: '2026-05-01T12:00:00.000Z',
    correlationId: 'c',
    data,
  });
  const frames = (...headers: Header[]) => withEnding(each(headers.map((header) => toFrame(header))));

  test('what was not published yet waits for all who listen, each event once', async () => {
    const folder = join(dir, 'backup');
    const to = await openBackupFolder(folder);
    const ledger = openLedger();
    const paid = event('one', 'payment.succeeded', 1, { orderId: 'o1' });
    const failed = event('two', 'payment.failed', 1, { orderId: 'o2' });
    const stream = frames(
      { kind: 'table', table: 'payments.payments', rows: 2, sum: '1' },
      { kind: 'outbox', event: paid },
      { kind: 'outbox', event: failed },
    );
    await writePart(to, 'payments', stream, ledger);
    await writeEvents(to, each([{ event: paid, groups: ['orders'] }]), ledger);
    expect(ledger.counts).toEqual({ 'payments.payments': 2, 'events that wait': 2 });
    const kept = await all(readPart(folder, 'payments', openLedger()));
    expect(kept.map(({ header }) => header.kind)).toEqual(['table']);
    // A version that had fewer services wrote fewer parts.
    expect(await all(readPart(folder, 'orders', openLedger()))).toEqual([]);
    const lines = (await all(readEvents(folder, openLedger()))) as WaitingEvent[];
    expect(lines.map(({ event: { id }, groups }) => `${id} ${groups.join()}`)).toEqual([
      'one orders',
      'two ',
    ]);
  });

  test('an event of a photo that was copied before it happened is left out', async () => {
    const folder = join(dir, 'backup');
    const to = await openBackupFolder(folder);
    const ledger = openLedger();
    await writePart(
      to,
      'media',
      frames({ kind: 'document', document: { version: 3, photo: { _id: 'p' } } }),
      ledger,
    );
    const lines = [
      event('shown', 'photo.uploaded', 3, { orderId: 'o', photoId: 'p' }),
      event('later', 'photo.hidden', 4, { orderId: 'o', photoId: 'p' }),
      event('another', 'photo.uploaded', 1, { orderId: 'o', photoId: 'q' }),
      event('audited', 'audit.recorded', 4, { orderId: 'o', entry: { object: { id: 'p' } } }),
    ].map((one) => ({ event: one, groups: ['orders'] }));
    await writeEvents(to, each(lines), ledger);
    const kept = (await all(readEvents(folder, openLedger()))) as WaitingEvent[];
    expect(kept.map(({ event: { id } }) => id)).toEqual(['shown']);
  });

  test('a stream that ends early is no part of a backup', async () => {
    const to = await openBackupFolder(join(dir, 'backup'));
    const cut = each([toFrame({ kind: 'table', table: 'orders.orders', rows: 1, sum: '1' })]);
    await expect(writePart(to, 'orders', cut, openLedger())).rejects.toThrow(
      'not whole, back up once more: orders',
    );
  });
});

describe('services', () => {
  const whole: Record<string, string[]> = {
    paid: ['a', 'b'],
    bought: ['a', 'b', 'c'],
    order: ['a', 'b', 'c'],
    receipt: ['2026-000001', '2026-000002'],
    'order of assignment': ['a', 'b'],
    'order of receipt': ['a'],
    'order of certificate': ['a'],
    'order of photo': ['a'],
    'photo of order': ['x.jpg'],
    photo: ['x.jpg', 'y.jpg'],
    'object of media': ['originals/x.jpg'],
    'stored by media': ['originals/x.jpg', 'variants/x/320.jpg'],
    'object of payments': ['evidence/t/0/view.jpg'],
    'stored by payments': ['evidence/t/0/view.jpg'],
  };
  const found = (change: Record<string, string[]>, waiting: string[] = []) =>
    contradictions({ of: (fact) => ({ ...whole, ...change })[fact] ?? [], waiting: new Set(waiting) });
  const said = (...args: Parameters<typeof found>) => found(...args).map(sentenceOf);

  test('agree', () => expect(said({})).toEqual([]));

  test.each<[string, Record<string, string[]>]>([
    [
      '1 payments have no order, for instance of order d.',
      {
        paid: ['a', 'b', 'd'],
        'order of assignment': ['a', 'b', 'd'],
        order: ['a', 'b', 'c'],
        bought: ['a', 'b', 'c', 'd'],
      },
    ],
    ['1 orders have no payment, for instance c.', { bought: ['a', 'b'] }],
    ['1 paid orders are unknown to assignments, for instance b.', { 'order of assignment': ['a'] }],
    ['1 receipts were sent of orders that are not there, for instance z.', { 'order of receipt': ['z'] }],
    ['1 certificates have no order, for instance of z.', { 'order of certificate': ['a', 'z'] }],
    ['1 photos are of orders that are not there, for instance z.', { 'order of photo': ['z'] }],
    ['1 photos of orders are unknown to media, for instance z.jpg.', { 'photo of order': ['z.jpg'] }],
    ['1 files of media are missing, for instance originals/x.jpg.', { 'stored by media': [] }],
    ['1 files of payments are missing, for instance evidence/t/0/view.jpg.', { 'stored by payments': [] }],
    [
      '1 receipt numbers were given to two orders, for instance 2026-000001.',
      { receipt: ['2026-000001', '2026-000001'] },
    ],
  ])('that contradict each other: %s', (says, change) => expect(said(change)).toContain(says));

  test('may wait for an event', () => {
    const change = { paid: ['a', 'b', 'd'], bought: ['a', 'b', 'c', 'd'] };
    expect(said(change)).not.toEqual([]);
    expect(said(change, ['d'])).toEqual([]);
  });

  test('count when they last, where services are read one after another', () => {
    const before = found({ 'order of photo': ['a', 'y', 'z'], 'order of certificate': ['z'] });
    const after = found({ 'order of photo': ['z'], 'order of receipt': ['a', 'z'] });
    expect(lasting(before, after).map(sentenceOf)).toEqual([
      '1 photos are of orders that are not there, for instance z.',
    ]);
  });
});

describe('secrets', () => {
  const secrets = { quoteSecret: 'q', orderTokenSecret: 'o', postgresPassword: 'p' };

  test('of npm start are those that what was sent depends on, and settings override them', () => {
    const identity = identityIn({ QUOTE_SECRET: 'mine', CERTIFICATE_FORMER_KEYS: 'f', PORT: '1' }, secrets);
    expect(identity).toEqual({ QUOTE_SECRET: 'mine', ORDER_TOKEN_SECRET: 'o', CERTIFICATE_FORMER_KEYS: 'f' });
    expect(secretsOf(identity)).toEqual({ quoteSecret: 'mine', orderTokenSecret: 'o' });
    expect(settingsOf(identity)).toBe('CERTIFICATE_FORMER_KEYS="f"\n');
  });

  test('that are set otherwise here are named', () => {
    const identity = { QUOTE_SECRET: 'q', ORDER_TOKEN_SECRET: 'o' };
    requireSameIdentity({ QUOTE_SECRET: 'q' }, identity);
    expect(() => requireSameIdentity({ ORDER_TOKEN_SECRET: 'x' }, identity)).toThrow(
      'ORDER_TOKEN_SECRET: set here',
    );
  });

  test('take the place of those in an .env file, and everything else stays', () => {
    const text = withIdentity('# mine\nSITE_URL=https://x\nQUOTE_SECRET="old"\nMAIL_TOKEN_PUBLIC_KEY=old\n', {
      QUOTE_SECRET: 'q',
      MAIL_TOKEN_PRIVATE_KEY: 'm',
    });
    expect(text).toMatch(/^# mine\nSITE_URL/);
    expect(parseEnv(text)).toEqual({ SITE_URL: 'https://x', QUOTE_SECRET: 'q', MAIL_TOKEN_PRIVATE_KEY: 'm' });
  });
});

test('a restore says how receipt numbers go on', async () => {
  const manifest = await readManifest(await aBackup());
  expect(restored({ manifest, nextReceipt: '2026-020001' }, 'npm start')).toContain(
    '\nThe next receipt number is 2026-020001: those before it may have been given since the backup',
  );
  expect(restored({ manifest }, 'npm start')).toContain('\nReceipt numbers go on where they were.\n');
});

test('the command takes one folder, and prints counts', () => {
  expect(readFolder(['../there'], 'backup').folder).toBe('../there');
  expect(readFolder(['--compose', '--project', 'x', '--moved', 'there'], 'restore')).toEqual({
    folder: 'there',
    isMoved: true,
    installation: { project: 'x', envFile: undefined },
  });
  for (const args of [[], ['a', 'b'], ['--what'], ['--project', 'x', 'there'], ['--moved', 'there']])
    expect(() => readFolder(args, 'backup')).toThrow('npm run backup -- <folder>');
  const counts = { 'orders.orders': 2, 'orders.empty': 0, 'objects of media': 7 };
  expect(tableOf({ counts }).replaceAll(/ +/g, ' ')).toBe(' orders.orders 2\n objects of media 7');
});
