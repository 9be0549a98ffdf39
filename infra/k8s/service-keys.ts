/** node infra/k8s/service-keys.ts: creates missing service keys and keeps existing ones. */
import { newServiceKeys, publicKeysOf } from '@arboleda/chassis/http/service-token.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

const folder = process.argv[2] ?? join(import.meta.dirname, 'secrets');
const fileOf = (secret: string) => join(folder, `${secret}.env`);
const write = (secret: string, line: RegExp, text: string) =>
  writeFileSync(fileOf(secret), readFileSync(fileOf(secret), 'utf8').replace(line, text));

const fresh = newServiceKeys();
const keys = SERVICES.map((name) => {
  const key = parseEnv(readFileSync(fileOf(name), 'utf8')).SERVICE_KEY || fresh[name];
  write(name, /^SERVICE_KEY=.*$/m, `SERVICE_KEY=${key}`);
  return [name, key] as const;
});
// Without the operator's key, which only the demo uses.
write(
  'every-service',
  /^SERVICE_PUBLIC_KEYS=.*$/m,
  `SERVICE_PUBLIC_KEYS=${publicKeysOf(Object.fromEntries(keys))}`,
);
