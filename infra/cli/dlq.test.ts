import { SERVICES } from '@arboleda/contracts/services.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'arboleda-dlq-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const letter = {
  id: 'l1',
  kind: 'event',
  owner: 'orders',
  what: 'payment.succeeded',
  key: 'o1',
  failedAt: '2026-05-01T12:00:00.000Z',
  error: 'Error: no such order',
  place: 'payment.succeeded/3@1204',
};

/** Runs "npm run dlq" beside docker compose services that answer with `answers`; undefined means unreachable. */
function dlq(args: string[], answers: (service: string) => string | undefined) {
  const cases = SERVICES.map((service) => {
    const answer = answers(service);
    const says = answer === undefined ? 'echo Kafka does not answer >&2; exit 1' : `echo '${answer}'`;
    return `*"--no-TTY ${service} "*) ${says};;`;
  });
  const docker = `#!/bin/sh\ncase "$*" in *" ps "*) echo container;; ${cases.join(' ')} esac\n`;
  writeFileSync(join(dir, 'docker'), docker, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'dlq.ts'), ...args],
    {
      cwd: dir,
      encoding: 'utf8',
      env: { PATH: `${dir}:${process.env.PATH}`, DATA_DIR: join(dir, 'none') },
    },
  );
  return { status, stdout, stderr };
}

test('reports none when every service has none', () => {
  expect(dlq(['list'], () => '[]')).toEqual({
    status: 0,
    stdout: 'There are no dead letters.\n',
    stderr: '',
  });
});

test('does not report none while a service is unreachable', () => {
  const { status, stdout, stderr } = dlq(['list'], (service) => (service === 'media' ? undefined : '[]'));
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('Kafka does not answer');
  expect(stderr).toContain('media could not be asked: there may be more dead letters.');
  expect(dlq(['replay', '--all'], () => undefined)).toMatchObject({ status: 1, stdout: '' });
});

test('shows the letters of reachable services, once', () => {
  const { status, stdout } = dlq(['list'], (service) =>
    service === 'media' ? undefined : JSON.stringify([letter]),
  );
  expect(status).toBe(1);
  expect(stdout.split('\n')[1]!.split(/ {2,}/)).toEqual([
    'l1',
    'event',
    'orders',
    'payment.succeeded o1',
    letter.place,
    letter.failedAt,
    letter.error,
  ]);
  expect(stdout.trim().split('\n')).toHaveLength(2);
});

test('discards letters through the service that has them', () => {
  const answers = (service: string) => (service === 'orders' ? 'l1 is discarded.' : 'l1 is not there.');
  expect(dlq(['discard', 'l1'], answers)).toMatchObject({ status: 0, stdout: 'l1 is discarded.\n' });
});
