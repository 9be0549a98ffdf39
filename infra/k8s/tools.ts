import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { K8S_DIR } from './manifests.ts';

/** Tools that are not on the machine are installed here, once, and forgotten with node_modules. */
const CACHE = join(K8S_DIR, '..', '..', 'node_modules', '.cache', 'arboleda-k8s');
const KUSTOMIZE_VERSION = 'v5.8.1';
/** Carries the schemas of the Kubernetes of its own number. */
const KUBERNETES_VALIDATE_VERSION = '1.37.0';
const INSTALL_WITHIN_MS = 600_000;

/** What a program printed. @throws what it complained of. */
export function output(command: string, args: readonly string[], env = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: INSTALL_WITHIN_MS,
  });
  if (status === 0) return stdout;
  throw new Error((stderr || stdout || error?.message || `${command} failed`).trim());
}

const answers = (command: string, args: readonly string[]): boolean => {
  try {
    output(command, args);
    return true;
  } catch {
    return false;
  }
};

/** Renders a folder. @returns undefined when there is no kustomize and no Go to build it with. */
export function findKustomize(): ((folder: string) => string) | undefined {
  const own = join(CACHE, 'bin', 'kustomize');
  for (const program of [own, 'kustomize']) {
    if (answers(program, ['version'])) return (folder) => output(program, ['build', folder]);
  }
  if (answers('kubectl', ['kustomize', '--help']))
    return (folder) => output('kubectl', ['kustomize', folder]);
  if (!answers('go', ['version'])) return undefined;
  output('go', ['install', `sigs.k8s.io/kustomize/kustomize/v5@${KUSTOMIZE_VERSION}`], {
    ...process.env,
    GOBIN: join(CACHE, 'bin'),
  });
  return findKustomize();
}

/** Holds a file of objects to the schemas of Kubernetes. @returns undefined when there is no Python. */
export function findValidator(): ((file: string) => void) | undefined {
  const program = join(CACHE, 'venv', 'bin', 'kubernetes-validate');
  if (!existsSync(program)) {
    if (!answers('python3', ['-m', 'venv', '--help'])) return undefined;
    mkdirSync(CACHE, { recursive: true });
    output('python3', ['-m', 'venv', join(CACHE, 'venv')]);
    output(join(CACHE, 'venv', 'bin', 'pip'), [
      'install',
      '--quiet',
      `kubernetes-validate==${KUBERNETES_VALIDATE_VERSION}`,
    ]);
  }
  return (file) => void output(program, ['--strict', '--quiet', file]);
}
