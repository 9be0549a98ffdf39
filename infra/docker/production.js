/**
 * Reduces the package.json files of this folder to what the given workspaces need: `node production.js
 * services/orders`. npm's --workspace would also install what other workspaces and tests need.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** Workspaces that others depend on. */
const SHARED = { '@arboleda/contracts': 'contracts', '@arboleda/chassis': 'infra/chassis' };

const named = process.argv.slice(2);
const shared = named.flatMap((folder) => Object.keys(read(folder).dependencies)).map((name) => SHARED[name]);
const workspaces = [...new Set([...shared.filter(Boolean), ...named])];
for (const folder of ['.', ...workspaces]) {
  const { devDependencies: _tools, ...manifest } = read(folder);
  const kept = folder === '.' ? { ...manifest, workspaces } : manifest;
  writeFileSync(`${folder}/package.json`, JSON.stringify(kept));
}

function read(folder) {
  return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
}
