import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', 'prometheus');
const TESTS = readdirSync(join(FOLDER, 'tests'));

/** Runs Prometheus' promtool in the container of docker compose. */
function promtool(...args: string[]): { status: number | null; output: string } {
  const mounted = [
    ...['--volume', `${FOLDER}:/prometheus-config:ro`, '--workdir', '/prometheus-config/tests'],
    // docker compose writes the token.
    ...['--volume', '/dev/null:/run/minio-metrics-token:ro'],
  ];
  const container = ['run', '--rm', ...mounted, '--entrypoint', 'promtool', 'prom/prometheus:latest'];
  const { status, stdout, stderr } = spawnSync('docker', [...container, ...args], { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

test('Prometheus accepts its configuration and alerts', () => {
  const { status, output } = promtool('check', 'config', '../prometheus.yml');
  expect(output).toContain('30 rules found');
  expect(status).toBe(0);
});

test('every alert fires when it should, and not before', () => {
  const { status, output } = promtool('test', 'rules', ...TESTS);
  expect(output).not.toContain('FAILED');
  expect(output.match(/SUCCESS/g)).toHaveLength(TESTS.length);
  expect(status).toBe(0);
});
