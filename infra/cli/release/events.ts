import { type CatalogueEntry, eventCatalogue } from '@arboleda/contracts/events/catalogue.ts';
import { breakingChanges, type Published } from '@arboleda/contracts/events/compatibility.ts';
import { parseEvent } from '@arboleda/contracts/events/index.ts';
import { z } from 'zod';
import type { Promised } from './promised.ts';

const CONTRACT = 'contracts/events/index.ts';

/** Derived once, which takes a fifth of a second. */
let now: CatalogueEntry[] | undefined;
const catalogue = (): CatalogueEntry[] => (now ??= eventCatalogue());

const publishedNow = (): Published[] =>
  catalogue().map(({ type, version, key, listeners, schema }) => ({
    type,
    version,
    key,
    listeners,
    schema,
  }));

const written = (entries: readonly unknown[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
const read = <T>(text: string): T[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

/** An event of each type, as it would wait in a table of deliveries or in a dead letter. */
const samplesNow = (): { type: string }[] =>
  catalogue().map(({ type, version, key, example: { data } }) => ({
    id: '3f0c9a52-6d1b-4a77-9c1e-8a4a6f2b7d10',
    type,
    version,
    occurredAt: '2026-11-21T20:00:00.000Z',
    key: String(data[key]),
    sequence: 3,
    correlationId: '7c0e6f1a-2b54-4f0e-9d3a-5b8f3f1c2d4e',
    data,
  }));

/** Programs of the last release must be able to read today's events, by the schemas they know. */
export const eventSchemas: Promised = {
  file: 'events.jsonl',
  freeze: () => written(publishedNow()),
  broken(released) {
    const before = read<Published>(released);
    const changes = breakingChanges(before, publishedNow());
    const unreadable = catalogue().flatMap(({ type, version, example }) => {
      const known = before.find((one) => one.type === type && one.version === version);
      if (!known) return [];
      const { error } = z.fromJSONSchema(known.schema as never).safeParse(example.data);
      return error ? [`${type}: the release cannot read today's example, ${reasonOf(error)}`] : [];
    });
    return [...changes, ...(changes.length === 0 ? unreadable : [])].map(
      (change) => `${CONTRACT}: ${change}. Only add optional fields, or publish a new version of the type.`,
    );
  },
};

/** Events of all releases, which may wait in a topic, a dead letter or a backup: today's consumers read them. */
export const eventSamples: Promised = {
  file: 'event-samples.jsonl',
  freeze(_root, _version, before = '') {
    const lines = new Set([...before.split('\n'), ...written(samplesNow()).split('\n')]);
    lines.delete('');
    return [...lines].map((line) => `${line}\n`).join('');
  },
  broken: (released) =>
    read<{ type: string }>(released).flatMap((sample) => {
      try {
        parseEvent(sample);
        return [];
      } catch (error) {
        return [
          `${CONTRACT}: a released ${sample.type} can no longer be read, ${reasonOf(error)}. Accept it as it was.`,
        ];
      }
    }),
};

const reasonOf = (error: unknown): string =>
  error instanceof z.ZodError
    ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(', ')
    : (error as Error).message;
