import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { K8S_DIR, type Manifest } from './manifests.ts';

const KINDS = ['ScaledObject', 'TriggerAuthentication'] as const;
const definitions = JSON.parse(readFileSync(join(K8S_DIR, 'schemas', 'keda.json'), 'utf8')) as Record<
  (typeof KINDS)[number],
  Parameters<typeof z.fromJSONSchema>[0]
>;
const schemas = new Map<string, z.ZodType>(KINDS.map((kind) => [kind, z.fromJSONSchema(definitions[kind])]));

export const isKeda = ({ apiVersion }: Manifest): boolean => apiVersion === 'keda.sh/v1alpha1';

/** Why KEDA would reject an object, one sentence each. */
export function kedaFaults({ kind, metadata, spec }: Manifest): string[] {
  const schema = schemas.get(kind);
  if (!schema) return [`${kind}/${metadata.name}: no definition of this kind is kept here`];
  const result = schema.safeParse(spec);
  const issues = result.success ? [] : result.error.issues;
  return [
    ...issues.map(({ path, message }) => `${kind}/${metadata.name}: ${path.join('.')}: ${message}`),
    ...(spec.minReplicaCount > spec.maxReplicaCount
      ? [`${kind}/${metadata.name}: at least more than at most`]
      : []),
  ];
}
