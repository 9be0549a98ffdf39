import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Report } from '../frame/topic.ts';
import { secretsIn } from './secrets.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

const docker = async (...args: string[]): Promise<string> =>
  (await run('docker', args, { maxBuffer: MAX_OUTPUT_BYTES, timeout: 120_000 })).stdout;

/** Nothing of these belongs into an image that runs a service. */
const FOREIGN =
  /(?:^|\/)(?:\.env(?!\.example)[^/]*|\.git|\.npmrc|\.data|secrets\.json|id_(?:rsa|ed25519)|[^/]+\.(?:pem|key|p12))(?:\/|$)/;

/** Checks settings, build steps and files of the services' images on this machine. */
export async function images({ check, note }: Report): Promise<void> {
  const listed = await docker('image', 'ls', '--format', '{{.Repository}}:{{.Tag}}').catch(() => undefined);
  if (listed === undefined) return note('images: skipped, no container engine answers');
  const own = listed.split('\n').filter((name) => name.startsWith('arboleda/') && !name.includes('<none>'));
  if (own.length === 0) return note('images: skipped, none is built here');
  for (const image of own) await lookInto(image, check);
  note(`images: ${own.length} looked into`);
}

async function lookInto(image: string, check: Report['check']): Promise<void> {
  const settings = await docker(
    'image',
    'inspect',
    '--format',
    '{{json .Config.Env}} {{json .Config.User}}',
    image,
  );
  check(
    `${image}: no secret among its settings`,
    secretsIn(settings.replaceAll('","', '\n')).length === 0,
    settings,
  );
  check(`${image}: none of ours is set`, !/SECRET|PASSWORD|STRIPE_|_KEY=/.test(settings), settings);
  check(`${image}: runs as nobody in particular`, !/ "(?:|root|0|0:0)"\s*$/.test(settings), settings);
  const steps = await docker('image', 'history', '--no-trunc', '--format', '{{.CreatedBy}}', image);
  check(`${image}: no secret in how it was made`, secretsIn(steps).length === 0, secretsIn(steps));
  const container = (await docker('create', image)).trim();
  try {
    const files = (
      await run('sh', ['-c', `docker export ${container} | tar -t`], { maxBuffer: MAX_OUTPUT_BYTES })
    ).stdout;
    const found = files
      .split('\n')
      .filter(
        (path) =>
          /^(?:app|srv|home|root|data)\//.test(path) && !path.includes('node_modules/') && FOREIGN.test(path),
      );
    check(`${image}: no file that does not belong there`, found.length === 0, found);
    const texts = `docker export ${container} | tar -x -O --wildcards --exclude='*/node_modules/*' 'app/*.ts' 'app/*.json' 'app/*.js'`;
    const content = (
      await run('sh', ['-c', texts], { maxBuffer: MAX_OUTPUT_BYTES }).catch(() => ({ stdout: '' }))
    ).stdout;
    check(`${image}: no secret in its files`, secretsIn(content).length === 0, secretsIn(content));
  } finally {
    await docker('rm', container);
  }
}
