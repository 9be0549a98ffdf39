import type { ServiceName } from '@arboleda/contracts/services.ts';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { toFrame } from './format.ts';
import type { ServiceStores } from './stores.ts';

/**
 * One service's side of the comparison with others: its facts, the keys of its objects, and events that it has not
 * published. A backup has the same frames, with everything else.
 */
export async function* copyFacts(stores: ServiceStores): AsyncGenerator<Buffer> {
  const { service, client, mongodbUrl, documents, objects } = stores;
  const facts = collectFacts();
  if (client) {
    yield* copyOutbox(client, service);
    for (const [fact, value] of await factsOf(client, service)) yield* facts.add(fact, value);
  }
  const found = mongodbUrl ? documents?.fromMongodb(mongodbUrl) : client && documents?.fromPostgres(client);
  for await (const { outbox, facts: its } of found ?? []) {
    for (const event of outbox) yield toFrame({ kind: 'outbox', event });
    for (const [fact, value] of its) yield* facts.add(fact, value);
  }
  for await (const { key } of objects?.list() ?? []) yield* facts.add(`stored by ${service}`, key);
  yield* facts.rest();
}

/** Events that the service has not published yet. */
export async function* copyOutbox(client: pg.Client, service: string): AsyncGenerator<Buffer> {
  const { rows } = await client.query<{ event: { id: string; type: string; key: string } }>(
    `select event from ${service}._outbox order by seq`,
  );
  for (const { event } of rows) yield toFrame({ kind: 'outbox', event });
}

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Fact of the last row of a service's audit log, as the process log names it. */
export const AUDIT_HEAD = 'last row of the audit log';

/** Answers of services/<name>/operator/facts.sql, with columns `fact` and `value`, and the head of the audit log. */
export async function factsOf(client: pg.Client, service: ServiceName): Promise<[string, string][]> {
  const file = join(ROOT, 'services', service, 'operator', 'facts.sql');
  const own = existsSync(file) ? `union all (${await readFile(file, 'utf8')})` : '';
  await client.query(`set local search_path to ${service}, public`);
  const { rows } = await client.query<{ fact: string; value: string }>(
    `select '${AUDIT_HEAD}' as fact, '${service}:' || seq || ':' || hash as value from ${service}._audit_head where seq > 0 ${own}`,
  );
  return rows.map(({ fact, value }) => [fact, value]);
}

const FACTS_A_FRAME = 10_000;

/** Facts of one kind come together in few frames. */
export function collectFacts() {
  const held = new Map<string, string[]>();
  const frame = (fact: string) => {
    const values = held.get(fact)!;
    held.delete(fact);
    return toFrame({ kind: 'facts', fact }, Buffer.from(values.join('\n')));
  };
  return {
    *add(fact: string, value: string): Generator<Buffer> {
      const values = held.get(fact) ?? [];
      held.set(fact, values);
      if (values.push(value) >= FACTS_A_FRAME) yield frame(fact);
    },
    *rest(): Generator<Buffer> {
      for (const fact of [...held.keys()]) yield frame(fact);
    },
  };
}
