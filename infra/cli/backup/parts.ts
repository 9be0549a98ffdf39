import {
  listenersOf,
  readEventLines,
  type EventLine,
  type WaitingEvent,
} from '@arboleda/chassis/backup/events.ts';
import { AUDIT_HEAD } from '@arboleda/chassis/backup/facts.ts';
import { type Frame, linesOf, readFrames, toFrame, withEnding } from '@arboleda/chassis/backup/format.ts';
import type { EventEnvelope } from '@arboleda/contracts/events/envelope.ts';
import { publisherOf } from '@arboleda/contracts/events/cloud-event.ts';
import type { EventType } from '@arboleda/contracts/events/index.ts';
import { hasDocuments, type ServiceName } from '@arboleda/contracts/services.ts';
import { Fault } from '../terminal/command.ts';
import { type Contradiction, contradictions, sentenceOf } from './agreement.ts';
import { type BackupFolder, decompressed, hasFile, type Manifest } from './files.ts';

export const partOf = (service: ServiceName): string => `${service}.zst`;
const EVENTS = 'events.zst';
export const SANDBOX = 'stripe-sandbox.zst';
export const IDENTITY = 'secrets.json';
export const SETTINGS = '.env';
/** State of `npm start`'s demo. */
export const DEMO = 'demo.json';

/** Notes about the parts of a backup, taken as they pass. */
export interface Ledger {
  note(service: ServiceName, frame: Frame): void;
  noteEvent(line: Exclude<EventLine, { end: number }>): void;
  counts: Record<string, number>;
  migrations: Manifest['migrations'];
  /** Last rows of the audit logs. */
  auditHeads(): string[];
  /** Events that were not published yet. */
  outbox: EventEnvelope[];
  /** Versions of copied documents by id, where they were not copied at the moment of the rows. */
  versions: Map<string, number>;
  contradictions(): Contradiction[];
  /** @throws Fault that says where services contradict each other */
  requireAgreement(): void;
}

export function openLedger(): Ledger {
  const counts: Record<string, number> = {};
  const facts = new Map<string, string[]>();
  const waiting = new Set<string>();
  const migrations: Ledger['migrations'] = {};
  const outbox: EventEnvelope[] = [];
  const versions = new Map<string, number>();
  const add = (name: string, n = 1) => (counts[name] = (counts[name] ?? 0) + n);
  const learn = (fact: string, values: readonly string[]) => {
    const known = facts.get(fact) ?? [];
    for (const value of values) known.push(value);
    facts.set(fact, known);
  };
  const found = () => contradictions({ of: (fact) => facts.get(fact) ?? [], waiting });
  return {
    counts,
    migrations,
    outbox,
    versions,
    note(service, { header, bytes }) {
      if (header.kind === 'schema')
        migrations[service] = { migrations: header.migrations, chassis: header.chassis };
      else if (header.kind === 'table') add(header.table, header.rows);
      else if (header.kind === 'job') add(`jobs of ${service}`);
      else if (header.kind === 'letter') add(`jobs of ${service} that were given up`);
      else if (header.kind === 'outbox') outbox.push(header.event as EventEnvelope);
      else if (header.kind === 'object') {
        add(`objects of ${service}`);
        learn(`stored by ${service}`, [header.key]);
      } else if (header.kind === 'document') {
        add(`documents of ${service}`);
        const { version, photo } = header.document as { version?: number; photo?: { _id: string } };
        if (version !== undefined && photo) versions.set(photo._id, version);
      } else if (header.kind === 'facts') learn(header.fact, Buffer.from(bytes).toString().split('\n'));
    },
    noteEvent(line) {
      if ('letter' in line) return void add('events that were given up');
      add('events that wait');
      const { orderId } = line.event.data as { orderId?: string };
      if (orderId !== undefined) waiting.add(orderId);
    },
    auditHeads: () => facts.get(AUDIT_HEAD) ?? [],
    contradictions: found,
    requireAgreement() {
      const sentences = found().map(sentenceOf);
      if (sentences.length > 0) throw new Fault(`Services contradict each other. ${sentences.join(' ')}`);
    },
  };
}

/** Writes what one service gave, and notes it. @throws Fault when it is not whole */
export async function writePart(
  folder: BackupFolder,
  service: ServiceName,
  chunks: AsyncIterable<Uint8Array>,
  ledger: Ledger,
): Promise<void> {
  async function* kept() {
    for await (const frame of readFrames(chunks)) {
      ledger.note(service, frame);
      if (frame.header.kind !== 'outbox') yield toFrame(frame.header, frame.bytes);
    }
  }
  await folder.compress(partOf(service), withEnding(kept())).catch((error: Error) => {
    throw new Fault(`The backup is not whole, back up once more: ${service}: ${error.message}.`, {
      cause: error,
    });
  });
}

/** The parts of a service, noted as they are read. None in a backup of a version that had no such service. */
export async function* readPart(folder: string, service: ServiceName, ledger: Ledger): AsyncGenerator<Frame> {
  if (!hasFile(folder, partOf(service))) return;
  for await (const frame of readFrames(decompressed(folder, partOf(service)))) {
    ledger.note(service, frame);
    yield frame;
  }
}

/**
 * Writes what waits on the bus, and then what was not published yet, each event once.
 * @param lines those of the bus
 */
export async function writeEvents(
  folder: BackupFolder,
  lines: AsyncIterable<EventLine>,
  ledger: Ledger,
): Promise<void> {
  async function* all(): AsyncGenerator<Buffer> {
    const known = new Set<string>();
    let end = 0;
    const line = (one: Exclude<EventLine, { end: number }>) => {
      end++;
      ledger.noteEvent(one);
      return Buffer.from(`${JSON.stringify(one)}\n`);
    };
    for await (const one of lines) {
      if ('end' in one) continue;
      if ('event' in one) {
        if (isAfterItsDocument(one, ledger)) continue;
        known.add(one.event.id);
      }
      yield line(one);
    }
    for (const event of ledger.outbox)
      if (!known.has(event.id)) yield line({ event, groups: listenersOf(event.type) });
    yield Buffer.from(`${JSON.stringify({ end })}\n`);
  }
  await folder.compress(EVENTS, all());
}

/** Whether a document was copied before the change that this event tells. */
function isAfterItsDocument({ event }: WaitingEvent, { versions }: Ledger): boolean {
  if (versions.size === 0 || !hasDocuments(publisherOf(event.type as EventType))) return false;
  const { photoId, entry } = event.data as { photoId?: string; entry?: { object?: { id?: string } } };
  const id = photoId ?? entry?.object?.id;
  return id !== undefined && event.sequence > (versions.get(id) ?? 0);
}

/** Events that waited on the bus, noted as they are read. */
export async function* readEvents(folder: string, ledger: Ledger) {
  for await (const line of readEventLines(linesOf(decompressed(folder, EVENTS)))) {
    ledger.noteEvent(line);
    yield line;
  }
}
