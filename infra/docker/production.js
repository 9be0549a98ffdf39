/**
 * Leaves in the package.json files of this folder only what one service runs on, so that npm installs nothing else:
 * `node production.js services/orders`. npm's own --workspace would bring what the other workspaces want along.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const SHARED = ['contracts', 'infra/chassis'];

const [service] = process.argv.slice(2);
const workspaces = [...SHARED, service];
for (const folder of ['.', ...workspaces]) {
  const file = `${folder}/package.json`;
  const { devDependencies: _tools, ...manifest } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(folder === '.' ? { ...manifest, workspaces } : manifest));
}
