import { imageNames } from '../../../infra/docker/image-sizes.ts';
import { execFileSync } from 'node:child_process';

const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8' });

/** The images of the product that docker has, with their sizes in MB; none where there is no docker. */
export function imageSizes(): [name: string, sizeMb: number][] {
  try {
    const names = imageNames(docker('image', 'ls', '--format', '{{.Repository}}:{{.Tag}}', 'arboleda/*'));
    if (names.length === 0) return [];
    const bytes = docker('image', 'inspect', '--format', '{{.Size}}', ...names)
      .trim()
      .split('\n');
    return names.map((name, index) => [name, Number(bytes[index]) / 1e6]);
  } catch {
    return [];
  }
}
