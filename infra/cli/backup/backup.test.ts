import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readFolder, tableOf } from './command.ts';
import {
  BUCKETS,
  countFiles,
  databaseFile,
  DATABASES,
  DOCUMENTS,
  documentsFile,
  EVENTS_FILE,
  objectsFile,
} from './containers.ts';
import { backUp, restore } from './embedded.ts';
import { checkFiles, copyTree, DATA, readManifest, toManifest, writeManifest } from './files.ts';
import { differing, readRows } from './rows.ts';

describe('a backup of the embedded tier', () => {
  let dir: string;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'arboleda-backup-'));
  });

  afterEach(() => rmSync(dir, { recursive: true }));

  /** A backup of two files. */
  async function aBackup(): Promise<string> {
    mkdirSync(join(dir, 'from', 'deep'), { recursive: true });
    writeFileSync(join(dir, 'from', 'a.txt'), 'trees', { mode: 0o644 });
    writeFileSync(join(dir, 'from', 'deep', 'b.txt'), 'rain');
    const folder = join(dir, 'backup');
    const copies = await copyTree(join(dir, 'from'), join(folder, DATA), 'objects');
    await writeManifest(folder, toManifest('embedded', { postgres: '18' }, [copies], new Date(0)));
    return folder;
  }

  describe('a backup', () => {
    test('is readable by its owner only', async () => {
      const folder = await aBackup();
      for (const path of ['manifest.json', `${DATA}/objects/a.txt`, `${DATA}/objects/deep`])
        expect(statSync(join(folder, path)).mode & 0o077).toBe(0);
    });

    test('is valid until one byte changes', async () => {
      const folder = await aBackup();
      const manifest = await readManifest(folder, 'embedded');
      await checkFiles(folder, manifest);
      writeFileSync(join(folder, DATA, 'objects', 'a.txt'), 'treez');
      await expect(checkFiles(folder, manifest)).rejects.toThrow('objects/a.txt is not as it was written');
      rmSync(join(folder, DATA, 'objects', 'a.txt'));
      await expect(checkFiles(folder, manifest)).rejects.toThrow('objects/a.txt is missing');
    });

    test('that broke off is invalid', async () => {
      const folder = await aBackup();
      rmSync(join(folder, 'manifest.json'));
      await expect(restore({ DATA_DIR: join(dir, 'data') }, folder)).rejects.toThrow('no whole backup');
    });

    test('is restored only into an empty place, and otherwise changes nothing', async () => {
      const folder = await aBackup();
      await expect(restore({ DATA_DIR: join(dir, 'from') }, folder)).rejects.toThrow('is not empty');
      await expect(readManifest(folder, 'containers')).rejects.toThrow('is a backup of npm start');
    });

    test('of nothing, of another server, or over another backup is rejected', async () => {
      await expect(backUp({ DATA_DIR: join(dir, 'none') }, join(dir, 'b'))).rejects.toThrow(
        'nothing to back up',
      );
      await expect(backUp({ DATABASE_URL: 'postgres://x' }, join(dir, 'b'))).rejects.toThrow('DATABASE_URL');
      writeFileSync(join(dir, 'secrets.json'), '{}');
      await expect(backUp({ DATA_DIR: dir }, await aBackup())).rejects.toThrow('a new folder');
    });
  });

  test('the command takes one folder, and prints counts', () => {
    expect(readFolder(['../there']).folder).toBe('../there');
    expect(readFolder(['--compose', '--project', 'x', 'there'])).toEqual({
      folder: 'there',
      installation: { project: 'x', envFile: undefined },
    });
    for (const args of [[], ['a', 'b'], ['--what'], ['--project', 'x', 'there']])
      expect(() => readFolder(args)).toThrow('npm run backup -- <folder>');
    const files = [
      { path: 'objects/a', sizeBytes: 1_500_000, sha256: '' },
      { path: 'objects/b', sizeBytes: 500_000, sha256: '' },
      { path: 'secrets.json', sizeBytes: 10, sha256: '' },
    ];
    expect(tableOf({ files }).replaceAll(/ +/g, ' ')).toBe(
      ' objects 2 files 2.0 MB\n secrets and state 1 files 0.0 MB',
    );
  });
});

const read = async (...lines: string[]) =>
  (await readRows(Readable.from([Buffer.from(lines.join('\n'))]))).tables;

const header = 'COPY auth.accounts (id, name) FROM stdin;';

test('rows compare equal in any order, and different when one letter changes', async () => {
  const first = await read(
    'SET x;',
    header,
    '1\ta',
    '2\tb',
    '\\.',
    'COPY auth.workers (id) FROM stdin;',
    '\\.',
  );
  const second = await read(header, '2\tb', '1\ta', '\\.', 'COPY auth.workers (id) FROM stdin;', '\\.');
  expect(first.get('auth.accounts')!.rows).toBe(2);
  expect(first.get('auth.workers')!.rows).toBe(0);
  expect(differing(first, second)).toEqual([]);
  expect(differing(first, await read(header, '2\tb', '1\tc', '\\.'))).toEqual([
    'auth.accounts',
    'auth.workers',
  ]);
});

test('detects a duplicated row, and a row that moved to another table', async () => {
  expect(differing(await read(header, '1', '\\.'), await read(header, '1', '1', '\\.'))).toEqual([
    'auth.accounts',
  ]);
  const elsewhere = await read('COPY auth.workers (id) FROM stdin;', '1', '\\.');
  expect(differing(await read(header, '1', '\\.'), elsewhere)).toEqual(['auth.accounts', 'auth.workers']);
});

describe('a backup of containers', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'arboleda-backup-'));
    for (const folder of ['postgres', 'documents', 'objects']) mkdirSync(join(dir, folder));
    for (const [path, text] of Object.entries(WHOLE)) writeFileSync(join(dir, path), text);
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const count = () => countFiles((path) => join(dir, path));
  const sql = `COPY auth.accounts (id) FROM stdin;\na\nb\n\\.\n-- 2 rows of auth.accounts\n-- end\n`;
  const documents = `{"collection":"photos","indexes":[]}\n{"document":{"_id":"a"}}\n{"document":{"_id":"b"}}\n{"end":{"photos":2}}\n`;
  const objects = `{"key":"k","contentType":"image/png","sizeBytes":3}\nabc{"end":{"objects":1}}\n`;
  const events = `{"group":"orders","topics":[]}\n{"topic":"order.created","key":"k","value":"v"}\n{"end":{"messages":1}}\n`;
  const WHOLE: Record<string, string> = {
    ...Object.fromEntries(DATABASES.map((name) => [databaseFile(name), '-- end\n'])),
    ...Object.fromEntries(DOCUMENTS.map((name) => [documentsFile(name), '{"end":{}}\n'])),
    ...Object.fromEntries(BUCKETS.map((name) => [objectsFile(name), '{"end":{"objects":0}}\n'])),
    [databaseFile('auth')]: sql,
    [documentsFile('media')]: documents,
    [objectsFile('media')]: objects,
    [EVENTS_FILE]: events,
  };

  test('counts what its files hold', async () => {
    expect(await count()).toEqual({
      'auth.accounts': 2,
      'media.photos': 2,
      'objects of media': 1,
      'objects of payments': 0,
      'events on their way': 1,
    });
  });

  /** A file that was cut off. */
  test.each([databaseFile('auth'), documentsFile('media'), objectsFile('media'), EVENTS_FILE])(
    'is invalid when %s ends early',
    async (path) => {
      for (let length = 0; length < WHOLE[path]!.length - 1; length++) {
        writeFileSync(join(dir, path), WHOLE[path]!.slice(0, length));
        await expect(count()).rejects.toThrow(`not whole, back up once more: ${path}`);
      }
    },
  );

  test('is invalid when the server counted more rows than arrived', async () => {
    writeFileSync(join(dir, databaseFile('auth')), sql.replace('b\n', ''));
    await expect(count()).rejects.toThrow('the server holds 2 rows of auth.accounts, and 1 came');
    writeFileSync(join(dir, databaseFile('auth')), sql);
    writeFileSync(join(dir, documentsFile('media')), documents.replace('{"document":{"_id":"b"}}\n', ''));
    await expect(count()).rejects.toThrow('1 of 2 photos came');
  });
});
