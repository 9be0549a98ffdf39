import { VERSION } from '@arboleda/contracts/version.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const BUILD_WITHIN_MS = 600_000;
const AIM_BYTES = 250e6;
const run = promisify(execFile);

/** @throws with docker's error output */
const docker = async (...args: string[]): Promise<string> =>
  (await run('docker', args, { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 })).stdout.trim();

async function build(service: string): Promise<string> {
  const parts = [
    '--target',
    'service',
    '--build-arg',
    `SERVICE=${service}`,
    '--build-arg',
    'ARBOLEDA_REVISION=abc',
  ];
  return docker('build', '--quiet', '--file', 'infra/docker/Dockerfile', ...parts, '.');
}

describe.each([
  { service: 'services/auth', has: ['@node-rs/argon2', 'express'], lacks: ['sharp', 'stripe'] },
  { service: 'services/media', has: ['sharp', 'mongodb'], lacks: ['@node-rs/argon2', 'stripe'] },
  {
    service: 'services/orders',
    has: ['pdfkit', '@fontsource-variable/noto-sans-sc', '@fontsource/noto-sans-arabic'],
    lacks: ['sharp', 'stripe'],
  },
  { service: 'infra/stripe-sandbox', has: ['express'], lacks: ['kafkajs', 'sharp', 'stripe'] },
])('the image of $service', ({ service, has, lacks }) => {
  let image: string;
  const shell = (script: string) =>
    docker('run', '--rm', '--read-only', '--entrypoint', 'sh', image, '-c', script);

  beforeAll(async () => {
    image = await build(service);
  }, BUILD_WITHIN_MS);

  test('contains the packages it needs, and none of other services or tools', async () => {
    const packages = (await shell('cd node_modules && ls -d * @*/*')).split('\n');
    expect(packages).toEqual(expect.arrayContaining(has));
    for (const name of [...lacks, 'typescript', 'jest', 'vite']) expect(packages).not.toContain(name);
  });

  test('contains no tests and no package manager', async () => {
    const tests =
      "find . -path ./node_modules -prune -o \\( -name '*.test.ts' -o -name test -o -name testing \\) -print";
    expect(await shell(tests)).toBe('');
    expect(await shell('command -v npm yarn corepack || echo none')).toBe('none');
  });

  test('has no secret among its settings and files', async () => {
    const settings = await docker('image', 'inspect', '--format', '{{json .Config.Env}}', image);
    expect(settings).not.toMatch(/SECRET|PASSWORD|STRIPE_|_KEY=/);
    const names = ['.env', '.git', '.npmrc', '.data', 'secrets.json', '*.pem', '*.key', '*.p12']
      .map((name) => `-name '${name}'`)
      .join(' -o ');
    expect(await shell(`find . -path ./node_modules -prune -o \\( ${names} \\) -print`)).toBe('');
  });

  test('has labels', async () => {
    const labels = JSON.parse(await docker('image', 'inspect', '--format', '{{json .Config.Labels}}', image));
    expect(labels).toMatchObject({
      'org.opencontainers.image.title': `Arboleda, ${service}`,
      'org.opencontainers.image.version': VERSION,
      'org.opencontainers.image.revision': 'abc',
      'org.opencontainers.image.base.name': 'debian:bookworm-slim',
    });
  });

  test('runs as an unprivileged user with a numeric id', async () => {
    expect(await docker('image', 'inspect', '--format', '{{.Config.User}}', image)).toBe('10001:10001');
    expect(await shell('id -un')).toBe('arboleda');
    expect(await shell('find /app -user arboleda | head -1')).toBe('');
  });

  test('stays below its maximum size', async () => {
    expect(Number(await docker('image', 'inspect', '--format', '{{.Size}}', image))).toBeLessThan(AIM_BYTES);
  });

  test('is unhealthy while nothing answers', async () => {
    expect(await shell('bash infra/docker/health.sh 2>/dev/null; echo $?')).toBe('1');
  });
});

test(
  'a service stops with a message that names a missing variable',
  async () => {
    const image = await build('services/auth');
    const outcome = await docker('run', '--rm', image).catch((error: { stderr: string }) => error.stderr);
    expect(outcome).toContain('SERVICE_KEY: must be set');
  },
  BUILD_WITHIN_MS,
);
