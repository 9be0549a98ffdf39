import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { K8S_DIR } from './manifests.ts';

/** Downloaded tools are kept here until node_modules is removed. */
const CACHE = join(K8S_DIR, '..', '..', 'node_modules', '.cache', 'arboleda-k8s');
const KUSTOMIZE_VERSION = 'v5.8.1';
/** Contains the schemas of the Kubernetes version of the same number. */
const KUBERNETES_VALIDATE_VERSION = '1.37.0';
const INSTALL_WITHIN_MS = 600_000;

/** A program's output. @throws with its error output */
function output(command: string, args: readonly string[], env = process.env): string {
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

/** Renders a folder. @returns undefined without kustomize, and without Go to build it */
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

/** Validates a file of objects against Kubernetes' schemas. @returns undefined without Python */
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
