import { SERVICES } from '@arboleda/contracts/services.ts';
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { isKeda, kedaFaults } from './keda.ts';
import { K8S_DIR, parseManifests } from './manifests.ts';
import { faultsOf } from './policy.ts';
import { findKustomize, findValidator } from './tools.ts';

/** npm run k8s: renders base and overlays, and validates every object against its schema and our policy. */
const FOLDERS = ['base', 'overlays/small', 'overlays/large'];

const render = found(findKustomize);
const validate = found(findValidator);
if (!render || !validate) {
  const absent = render ? 'Python with venv' : 'kustomize, kubectl or Go';
  console.log(`k8s: skipped, as there is no ${absent} here`);
  process.exit(0);
}

/** A tool that cannot be installed, for example without a network, counts as missing. */
function found<Tool>(find: () => Tool | undefined): Tool | undefined {
  try {
    return find();
  } catch (error) {
    console.log(`k8s: ${(error as Error).message.split('\n')[0]}`);
    return undefined;
  }
}

const copy = mkdtempSync(join(tmpdir(), 'arboleda-k8s-'));
try {
  cpSync(K8S_DIR, copy, { recursive: true });
  const secrets = join(copy, 'secrets');
  for (const name of readdirSync(secrets).filter((one) => one.endsWith('.env.example'))) {
    renameSync(join(secrets, name), join(secrets, name.replace('.example', '')));
  }
  for (const folder of FOLDERS) check(folder);
} finally {
  rmSync(copy, { recursive: true });
}

function check(folder: string): void {
  const objects = parseManifests(render!(join(copy, folder)));
  const file = join(copy, 'rendered.yaml');
  writeFileSync(
    file,
    objects
      .filter((one) => !isKeda(one))
      .map((one) => stringify(one))
      .join('---\n'),
  );
  const faults = [
    ...faultsOf(objects, ['gateway', ...SERVICES]),
    ...objects.filter(isKeda).flatMap(kedaFaults),
    ...faultsOfSchemas(file),
  ];
  for (const fault of faults) console.error(`k8s: ${folder}: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`k8s: ${folder}: ${objects.length} objects are as they should be`);
}

function faultsOfSchemas(file: string): string[] {
  try {
    validate!(file);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').filter((line) => !line.startsWith('INFO'));
  }
}
