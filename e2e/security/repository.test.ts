import { describe, expect, jest, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { licencesOf } from './licences.ts';
import { isOfTests, secretsIn } from './secrets.ts';

jest.setTimeout(180_000);

const ROOT = join(import.meta.dirname, '..', '..');
const BINARY = new Set(['.jpg', '.webp', '.png', '.avif', '.woff2', '.ico', '.gif', '.pdf']);

/** Backups of made-up installations, with the secrets that nobody else has. */
const FIXTURE = /(?:^|\/)e2e\/safety\/releases\/\d[\d.]*\/backup\//;

const git = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('git', args, { cwd: ROOT, maxBuffer: 1024 ** 3 })).stdout;
/** A copy without history has neither files nor commits to look at. */
const isGit = existsSync(join(ROOT, '.git'));

(isGit ? describe : describe.skip)('no secret is', () => {
  test('in any file', async () => {
    const files = (await git('ls-files', '-z'))
      .split('\0')
      .filter((file) => file && !BINARY.has(extname(file)) && !FIXTURE.test(file));
    const named = /(?:^|\/)(?:\.env|secrets\.json|id_(?:rsa|ed25519)|\.npmrc)$|\.(?:pem|key|p12)$/;
    expect(files.filter((file) => named.test(file))).toEqual([]);
    const found: object[] = [];
    for (const file of files) {
      const text = await readFile(join(ROOT, file), 'utf8').catch(() => '');
      found.push(...secretsIn(text, !isOfTests(file)).map((secret) => ({ file, ...secret })));
    }
    expect(found).toEqual([]);
  });

  test('in any line that was ever added', async () => {
    const log = await git(
      'log',
      '-p',
      '--no-color',
      '--no-textconv',
      '--unified=0',
      '--format=%x00%h',
      'HEAD',
    );
    const found = log.split('\0').flatMap((commit) =>
      commit
        .split('\n+++ ')
        .slice(1)
        .filter((file) => !FIXTURE.test(file.slice(0, file.indexOf('\n'))))
        .flatMap((file) => {
          const added = file.split('\n').filter((line) => line.startsWith('+'));
          const text = added.map((line) => line.slice(1)).join('\n');
          const secrets = secretsIn(text, !isOfTests(file.slice(0, file.indexOf('\n'))));
          return secrets.map((secret) => ({ commit: commit.slice(0, 8), ...secret }));
        }),
    );
    expect(found).toEqual([]);
  });
});

test('every package has a licence that was approved', () => {
  const { packages, others } = licencesOf(ROOT);
  expect(packages).toBeGreaterThan(500);
  expect(others).toEqual([]);
});

describe('in a text', () => {
  const random = createHash('sha256').update('a secret').digest('hex').slice(0, 48);

  test.each([
    ['a key of Stripe', `const key = 'sk_${'live'}_${random.slice(0, 24)}';`],
    ['a private key', `-----BEGIN ${'PRIVATE'} KEY-----\\nMC4CAQAwBQYDK2VwBCIEI`],
    ['a key of AWS', `AKIA${'QWERTYUIOP123456'}`],
    ['an address with a password', `postgres://orders:${random}@db.internal/orders`],
    ['something random that is called a secret', `QUOTE_SECRET=${random}`],
    // Random digits repeat themselves at times.
    ['something random that is called a secret', `QUOTE_SECRET=${'a'.repeat(12)}${random.slice(12)}`],
  ])('%s is found', (what, line) => {
    expect(secretsIn(`before\n${line}\nafter`).map((found) => found.what)).toEqual([what]);
  });

  test.each([
    'const token = readToken(request.headers.authorization)',
    'password: z.string().min(10)',
    'QUOTE_SECRET=',
  ])('%s is no secret', (line) => {
    expect(secretsIn(line)).toEqual([]);
  });
});

describe('of licences', () => {
  const lockOf = (packages: object) => {
    const root = mkdtempSync(join(tmpdir(), 'arboleda-licences-'));
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
    const licences = licencesOf(root);
    rmSync(root, { recursive: true });
    return licences;
  };

  test('that of an optional package that is not installed and names none is left out', () => {
    const packages = { 'node_modules/kept': { license: 'MIT' }, 'node_modules/native': { optional: true } };
    expect(lockOf(packages)).toEqual({ packages: 1, others: [] });
  });

  test('one that is not allowed is named, also of an optional package', () => {
    const { others } = lockOf({
      'node_modules/copied': { license: 'AGPL-3.0', optional: true },
      'node_modules/silent': {},
    });
    expect(others).toEqual(['copied: AGPL-3.0', 'silent: unknown']);
  });
});
