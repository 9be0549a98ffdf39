import { readFileSync, writeFileSync } from 'node:fs';
import { eventCatalogue } from '@arboleda/contracts/events/catalogue.ts';
import type { Published } from '@arboleda/contracts/events/compatibility.ts';

/** One line of JSON for each event type, as of the last release. */
const FILE = new URL('../../../contracts/events/released.jsonl', import.meta.url);

export const readReleased = (): Published[] =>
  readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Published);

export const publishedNow = (): Published[] =>
  eventCatalogue().map(({ type, version, key, listeners, schema }) => ({
    type,
    version,
    key,
    listeners,
    schema,
  }));

export function writeReleased(events: readonly Published[]): void {
  writeFileSync(FILE, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
}
