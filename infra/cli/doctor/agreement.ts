import { openFileObjects } from '@arboleda/chassis/adapters/files/files.ts';
import { eventsOfPostgres } from '@arboleda/chassis/backup/events.ts';
import { copyFacts } from '@arboleda/chassis/backup/facts.ts';
import { readFrames, withEnding } from '@arboleda/chassis/backup/format.ts';
import { openSession } from '@arboleda/chassis/backup/rows.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Contradiction, lasting, sentenceOf } from '../backup/agreement.ts';
import { documentsOf } from '../backup/documents.ts';
import { type Ledger, openLedger } from '../backup/parts.ts';
import { openSession as openContainerSession } from '../backup/session.ts';
import type { Compose } from '../compose.ts';
import type { Finding } from './settings.ts';

const toFinding = (one: Contradiction): Finding =>
  `${sentenceOf(one)} See docs/operations.md, "When services contradict each other".`;

/**
 * Compares all services of `npm start` in one snapshot of their database. Nothing when the database has not all of them,
 * or waits for migrations: other findings say so.
 */
export async function agreementFindings(databaseUrl: string, dataDir: string): Promise<Finding[]> {
  const client = await openSession(databaseUrl).catch(() => undefined);
  if (!client) return [];
  try {
    await client.query('begin isolation level repeatable read read only');
    if (!(await hasAllTables(client))) return [];
    const ledger = openLedger();
    for (const service of SERVICES) {
      const folder = join(dataDir, 'objects', service);
      const objects = existsSync(folder) ? await openFileObjects(folder) : undefined;
      const stores = { service, client, objects, documents: documentsOf(service) };
      await noteAll(ledger, service, withEnding(copyFacts(stores)));
    }
    for await (const line of eventsOfPostgres(client)) if ('event' in line) ledger.noteEvent(line);
    for (const event of ledger.outbox) ledger.noteEvent({ event, groups: [] });
    return ledger.contradictions().map(toFinding);
  } catch (error) {
    return [couldNotCompare(error)];
  } finally {
    await client.end();
  }
}

async function hasAllTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select bool_and(to_regclass(service || '._migrations') is not null) as there from unnest($1::text[]) as service`,
    [SERVICES],
  );
  return rows[0]!.there;
}

/** Events take no longer from one service to another. */
const ON_THE_WAY_MS = 5_000;

/** Compares services in containers, which have no snapshot in common. */
export async function agreementOfContainers(compose: Compose): Promise<Finding[]> {
  try {
    const before = await contradictionsNow(compose);
    if (before.length === 0) return [];
    await sleep(ON_THE_WAY_MS);
    return lasting(before, await contradictionsNow(compose)).map(toFinding);
  } catch (error) {
    return [couldNotCompare(error)];
  }
}

async function contradictionsNow(compose: Compose): Promise<Contradiction[]> {
  const ledger = openLedger();
  const main = ['node', 'infra/chassis/backup/main.ts', 'service', 'facts'];
  for (const service of SERVICES) {
    const session = openContainerSession(compose, ['exec', '--no-TTY', service, ...main]);
    await noteAll(ledger, service, session.receive('facts'));
  }
  for (const event of ledger.outbox) ledger.noteEvent({ event, groups: [] });
  return ledger.contradictions();
}

async function noteAll(
  ledger: Ledger,
  service: ServiceName,
  frames: AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const frame of readFrames(frames)) ledger.note(service, frame);
}

const couldNotCompare = (error: unknown): Finding =>
  `Could not compare services with each other: ${(error as Error).message}. Run this again when all are ready.`;
