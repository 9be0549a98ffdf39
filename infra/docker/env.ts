/** npm run env: completes .env for docker compose, with random secrets. It is idempotent. */
import { existsSync } from 'node:fs';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { completeFile } from './env-file.ts';

const FILE = '.env';
const HEAD =
  '# Written by npm run env; every variable is explained in .env.example. Never to be committed.\n';

const before = existsSync(FILE) ? await readFile(FILE, 'utf8') : HEAD;
const { text, added, usesSandbox } = completeFile(before, process.env);
if (text !== before) {
  await writeFile(`${FILE}.new`, text, { mode: 0o600 });
  await rename(`${FILE}.new`, FILE);
}
await chmod(FILE, 0o600);
const what = added.length === 0 ? 'nothing was missing' : `${added.length} variables added`;
console.log(`${FILE}: ${what}; cards are paid ${usesSandbox ? 'in the sandbox' : 'with Stripe'}.`);
