import { schemaChanges } from '../schema-changes.ts';
import type { CatalogueEntry } from './catalogue.ts';

/** The parts of an event type that consumers rely on. contracts/released/events.jsonl keeps them for the last release. */
export type Published = Pick<CatalogueEntry, 'type' | 'version' | 'key' | 'listeners' | 'schema'>;

/**
 * Why consumers of the released events could fail on today's, as sentences. New types, new optional fields, wider bounds
 * and new listeners are allowed; anything else needs a new version of the type.
 */
export function breakingChanges(released: readonly Published[], today: readonly Published[]): string[] {
  return released.flatMap((before) => {
    const after = today.find(({ type }) => type === before.type);
    if (!after) return [`${before.type}: the type, and with it its topic, is gone`];
    if (after.version > before.version) return [];
    return [
      ...(after.version < before.version ? [`${before.type}: version ${before.version} is gone`] : []),
      ...(after.key === before.key ? [] : [`${before.type}: the key is ${after.key}, was ${before.key}`]),
      ...before.listeners
        .filter((listener) => !after.listeners.includes(listener))
        .map((listener) => `${before.type}: ${listener} no longer listens, and what waits for it is lost`),
      ...schemaChanges(before.schema, after.schema, before.type),
    ];
  });
}
