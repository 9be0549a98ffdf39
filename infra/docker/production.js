/**
 * Leaves in the package.json files of this folder only what these workspaces run on: `node production.js services/orders`.
 * npm's own --workspace would bring along what the other workspaces and their tests want.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** Packages of this repository that others stand on. */
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
