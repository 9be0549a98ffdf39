/** "npm run coverage": writes docs/api-coverage.md and docs/spec-coverage.md anew. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { missingTests, PAGE, REQUIREMENTS, specPage } from '../../spec/page.ts';
import { coveragePage } from './page.ts';

const path = join(import.meta.dirname, '..', '..', '..', 'docs', 'api-coverage.md');
await writeFile(path, await coveragePage(path));
await writeFile(PAGE, await specPage());
for (const missing of await missingTests(REQUIREMENTS)) {
  console.error(`There is no such test: ${missing}`);
  process.exitCode = 1;
}
