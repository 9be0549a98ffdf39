/** "npm run coverage": writes docs/api-coverage.md anew. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { coveragePage } from './page.ts';

const path = join(import.meta.dirname, '..', '..', '..', 'docs', 'api-coverage.md');
await writeFile(path, await coveragePage(path));
