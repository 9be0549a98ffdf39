import { crashPoint } from '@arboleda/chassis/crash-point.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { EventBus } from '@arboleda/chassis/ports/event-bus.ts';
import { repeat } from '@arboleda/chassis/repeat.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import type { Collection } from 'mongodb';
import type { Photo } from './photo.ts';

/** An unpublished event of a photo. Stored as text, because MongoDB's $pull only removes exact copies. */
export interface OutboxEntry {
  at: Date;
  /** JSON of an ArboledaEvent. */
  event: string;
}

/** A photo and its outbox share a document, as MongoDB writes one document atomically. */
export interface StoredPhoto {
  _id: string;
  /** Incremented with each change of the photo. */
  version: number;
  photo: Photo;
  isFlagged: boolean;
  /** Trace of the upload. */
  traceparent?: string;
  /** In order of the changes. */
  outbox?: OutboxEntry[];
}

/** Publishes the events in the outboxes of photos and removes them. */
export interface Outbox {
  /** Called after the write; returns at once. The sweep retries what fails. */
  publish(id: string, entries: OutboxEntry[]): void;
  /** Age of the oldest entry; 0 when there is none. */
  ageMs(): Promise<number>;
  close(): Promise<void>;
}

/** Index for the sweep and the age. */
export const OUTBOX_INDEX = { name: 'outbox', key: { 'outbox.at': 1 }, sparse: true } as const;

const SWEEP_EVERY_MS = 10_000;
/** Younger entries are probably being published by the process that wrote them. */
const GRACE_MS = 5_000;
const PHOTOS_A_SWEEP = 100;

interface PendingEntries {
  _id: string;
  outbox: OutboxEntry[];
}

export const toEntry = (event: ArboledaEvent): OutboxEntry => ({
  at: new Date(),
  event: JSON.stringify(event),
});

export function openOutbox(parts: {
  photos: Collection<StoredPhoto>;
  bus: Pick<EventBus, 'publish'>;
  logger: Logger;
}): Outbox {
  const { photos, bus, logger } = parts;
  const waiting: PendingEntries[] = [];
  let publishing: Promise<void> | undefined;

  /** Publishes twice if the process dies in between. Removing an entry keeps the photo's version. */
  const publish = async (batch: readonly PendingEntries[]): Promise<void> => {
    const events = batch.flatMap(({ outbox }) => outbox);
    try {
      await bus.publish(events.map(({ event }) => JSON.parse(event) as ArboledaEvent));
      crashPoint('published');
      await photos.bulkWrite(
        batch.map(({ _id, outbox }) => ({
          updateOne: { filter: { _id }, update: { $pullAll: { outbox } } },
        })),
        { ordered: false },
      );
    } catch (error) {
      logger.warn({ err: error, events: events.length }, 'events of photos cannot be published yet');
    }
  };
  const publishWaiting = async () => {
    while (waiting.length > 0) await publish(waiting.splice(0));
    publishing = undefined;
  };

  /** Publishes what a crash or an outage left, photo by photo, so that none blocks the others. */
  const sweep = async () => {
    const before = new Date(Date.now() - GRACE_MS);
    const left = await photos
      .find(
        { 'outbox.at': { $lt: before } },
        { projection: { outbox: 1 }, sort: { 'outbox.at': 1 }, limit: PHOTOS_A_SWEEP },
      )
      .toArray();
    await Promise.all(left.map(({ _id, outbox = [] }) => publish([{ _id, outbox }])));
  };
  const sweeping = repeat(SWEEP_EVERY_MS, sweep, logger, 'outbox sweep');

  return {
    publish(id, entries) {
      if (entries.length === 0) return;
      waiting.push({ _id: id, outbox: entries });
      publishing ??= publishWaiting();
    },
    async ageMs() {
      const oldest = await photos.findOne(
        { 'outbox.at': { $gt: new Date(0) } },
        { sort: { 'outbox.at': 1 }, projection: { outbox: 1 } },
      );
      const at = oldest?.outbox?.[0]?.at;
      return at ? Math.max(0, Date.now() - at.getTime()) : 0;
    },
    async close() {
      await sweeping.stop();
      await publishing;
    },
  };
}
