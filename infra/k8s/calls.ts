import type { Endpoint } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SERVICES_DIR = join(import.meta.dirname, '..', '..', 'services');
const endpoints = Object.entries(ENDPOINTS) as [string, Endpoint][];

/** The source of a service without its tests. */
export const sourceOf = (service: ServiceName): string => {
  const folder = join(SERVICES_DIR, service);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(^|\/)(node_modules|test)\//.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
};

/** Services that a service's code calls by contract, and auth if it verifies people's tokens. */
export function calledBy(service: ServiceName): ServiceName[] {
  const keys = [...sourceOf(service).matchAll(/\bcall\('([A-Z]+ [^']+)'/g)].map((match) => match[1]!);
  const called = keys.map((key) => {
    const found = endpoints.find(([known]) => known === key);
    if (!found) throw new Error(`${service} calls ${key}, which no contract declares`);
    return found[1].service;
  });
  const knowsPeople = endpoints.some(([, one]) => one.service === service && Array.isArray(one.access));
  return [...new Set([...called, ...(knowsPeople ? (['auth'] as const) : [])])].sort();
}
