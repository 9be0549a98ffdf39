/** "npm run coverage": writes coverage/spec.md, which tests show each requirement, and coverage/api.md, which test each call. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { specPage } from '../../spec/page.ts';
import { coveragePage } from './page.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'coverage');
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'spec.md'), specPage());
await writeFile(join(folder, 'api.md'), await coveragePage());
console.log(`${folder}: spec.md, api.md`);
