/** npm run images: lists the sizes of our images. Target: 250 MB each. */
import { exitAfterFlush } from '@arboleda/chassis/leave.ts';
import { spawnSync } from 'node:child_process';
import { imageNames, sizeTable } from './image-sizes.ts';

const outcome = spawnSync('docker', ['image', 'ls', '--format', '{{.Repository}}:{{.Tag}}', 'arboleda/*'], {
  encoding: 'utf8',
});
if (outcome.status !== 0) {
  console.error(`docker image ls did not succeed: ${outcome.stderr || outcome.error?.message}`.trim());
  await exitAfterFlush(1);
}
const names = imageNames(outcome.stdout);
if (names.length === 0) {
  console.log('There are no images yet: docker compose build makes them.');
} else {
  const inspect = ['image', 'inspect', '--format', '{{.Size}}', ...names];
  const bytes = spawnSync('docker', inspect, { encoding: 'utf8' }).stdout.trim().split('\n').map(Number);
  console.log(sizeTable(names.map((name, index) => ({ name, bytes: bytes[index]! }))));
}
