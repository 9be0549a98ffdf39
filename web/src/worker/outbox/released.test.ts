import { beforeEach, expect, test } from '@jest/globals';
import type { IDBPDatabase } from 'idb';
import { readFileSync } from 'node:fs';
import { sendWaiting } from '../../service-worker/send-waiting.ts';
import { emptyIndexedDB } from '../../test/indexed-db.ts';
import { photoItem, statusItem } from '../../test/outbox.ts';
import { fakeApi } from '../../test/server.ts';
import { databaseStore, openWorkerDatabase } from './database.ts';
import type { Item } from './item.ts';

/** A database as it waits on a phone that a worker opens again after the upgrade. */
interface PhoneDatabase {
  name: string;
  version: number;
  stores: Record<
    string,
    {
      keyPath: string | null;
      indexes: Record<string, string>;
      /** Keys and values; bytes are base64. */
      records: [string, unknown][];
    }
  >;
}

/** By the first release that wrote it. */
const FILE = 'contracts/released/worker-database.json';
const RELEASED = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, PhoneDatabase>;

const visit = { kind: 'visit', id: 'v1' } as const;
const THUMBNAIL = new Uint8Array([9, 8]).buffer;
const PICTURE = new Uint8Array([0xff, 0xd8, 0xff, 1, 2, 3]).buffer;

/** Something of everything that today's code stores, in the order in which it is sent. */
const ITEMS: Item[] = [
  statusItem({
    id: 'step-planted',
    at: 1,
    attempts: 2,
    triedAt: 10,
    retryAt: 20,
    heldUntil: 30,
    body: {
      status: 'planted',
      notes: 'Along the stream',
      location: 'Vereda Cocora, Salento',
      coordinates: { latitude: 4.637812, longitude: -75.487654, accuracyMetres: 8 },
    },
  }),
  photoItem({
    id: 'photo-assignment',
    at: 2,
    details: {
      takenAt: '2026-11-21T20:00:00Z',
      latitude: 4.637812,
      longitude: -75.487654,
      accuracyMetres: 8,
    },
    thumbnail: THUMBNAIL,
  }),
  statusItem({ id: 'step-completed', at: 3, body: { status: 'completed' } }),
  photoItem({ id: 'photo-visit', at: 4, occasion: visit, name: 'visit.heic', type: 'image/heic' }),
  photoItem({
    id: 'photo-refused',
    at: 5,
    occasion: { kind: 'assignment', id: 'a2' },
    state: { step: 'refused', type: 'photo-damaged', message: 'The photo is damaged.' },
  }),
  photoItem({
    id: 'photo-sent',
    at: 6,
    occasion: { kind: 'assignment', id: 'a3' },
    state: { step: 'sent', at: 40, filename: 'a.jpg', again: false, isHandedOver: false },
  }),
];

beforeEach(() => {
  emptyIndexedDB();
  // A service worker has both, and jsdom neither.
  Object.assign(globalThis, {
    BroadcastChannel: class {
      postMessage() {}
      close() {}
    },
  });
  Object.defineProperty(navigator, 'locks', {
    configurable: true,
    value: { request: (_name: string, run: () => unknown) => run() },
  });
});

const encoded = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    Object.prototype.toString.call(part) === '[object ArrayBuffer]'
      ? { base64: Buffer.from(part as ArrayBuffer).toString('base64') }
      : part,
  );

const decoded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'object' && part !== null && 'base64' in part
      ? new Uint8Array(Buffer.from(part.base64 as string, 'base64')).buffer
      : part,
  );

async function phoneToday(): Promise<PhoneDatabase> {
  const database = await openWorkerDatabase();
  const store = databaseStore(database);
  for (const item of ITEMS) await store.add(item, item.kind === 'photo' ? PICTURE : undefined);
  await store.keepCurrentTask('w1', 'a1');
  await database.put('session', { workerId: 'w1', token: 'token-1' }, 'worker');
  const phone = await readPhone(database as unknown as IDBPDatabase);
  database.close();
  return phone;
}

async function readPhone(database: IDBPDatabase): Promise<PhoneDatabase> {
  const stores: PhoneDatabase['stores'] = {};
  for (const name of database.objectStoreNames) {
    const { store } = database.transaction(name);
    const indexes = [...store.indexNames].map((index) => [index, store.index(index).keyPath as string]);
    const keys = (await store.getAllKeys()) as string[];
    const values = (await store.getAll()) as unknown[];
    stores[name] = {
      keyPath: store.keyPath as string | null,
      indexes: Object.fromEntries(indexes) as Record<string, string>,
      records: keys.map((key, at) => [key, JSON.parse(encoded(values[at]))]),
    };
  }
  return { name: database.name, version: database.version, stores };
}

/** Makes the database as its release made it, without today's code. */
const leaveOnPhone = ({ name, version, stores }: PhoneDatabase): Promise<void> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => {
      for (const [storeName, { keyPath, indexes, records }] of Object.entries(stores)) {
        const store = opening.result.createObjectStore(storeName, { keyPath });
        for (const [index, path] of Object.entries(indexes)) store.createIndex(index, path);
        for (const [key, value] of records) {
          if (keyPath === null) store.put(decoded(value), key);
          else store.put(decoded(value));
        }
      }
    };
    opening.onerror = () => reject(opening.error!);
    opening.onsuccess = () => {
      opening.result.close();
      resolve();
    };
  });

/** Returns the calls that today's service worker makes from a phone, in the order in which the worker did it. */
async function sentFrom(phone: PhoneDatabase) {
  await leaveOnPhone(phone);
  const accepted = () => ({ body: { photos: [{ filename: 'a.jpg', duplicate: false, flags: [] }] } });
  const requests = fakeApi({
    'PUT /api/workers/assignments/{id}/status': () => ({ body: { assignment: {} } }),
    'POST /api/workers/assignments/{id}/photos': accepted,
    'POST /api/workers/growth-visits/{id}/photos': accepted,
  });
  await sendWaiting();
  return Promise.all(
    requests.map(async ({ key, url, body, headers }) => {
      const id = url.split('/').at(-2);
      const by = headers.authorization;
      if (!(body instanceof FormData)) return { key, id, by, once: headers['Idempotency-Key'], body };
      const photo = body.get('photos') as File;
      const bytes = Buffer.from(await photo.arrayBuffer()).toString('base64');
      const [details] = JSON.parse(String(body.get('details'))) as object[];
      return { key, id, by, name: photo.name, type: photo.type, bytes, details };
    }),
  );
}

test.each(Object.entries(RELEASED))(
  'today’s app sends all that waits on a phone with %s',
  async (_version, phone) => {
    const sent = await sentFrom(phone);
    const waiting = phone.stores
      .items!.records.map(([, item]) => item as Item)
      .filter(({ state }) => state.step === 'waiting')
      .toSorted((a, b) => a.at - b.at);
    const files = Object.fromEntries(phone.stores.files!.records) as Record<string, { base64: string }>;
    const by = 'Bearer token-1';
    const expected = waiting.map((item) => {
      const { id } = item.occasion;
      if (item.kind === 'status')
        return { key: 'PUT /api/workers/assignments/{id}/status', id, by, once: item.id, body: item.body };
      const folder = item.occasion.kind === 'visit' ? 'growth-visits' : 'assignments';
      return {
        key: `POST /api/workers/${folder}/{id}/photos`,
        id,
        by,
        name: item.name,
        type: item.type,
        bytes: files[item.id]!.base64,
        details: { clientId: item.id, ...item.details },
      };
    });
    expect(expected.length).toBeGreaterThan(3);
    expect(sent).toEqual(expected);
  },
);

test('a phone whose pictures lie elsewhere loses them, and this file notices', async () => {
  const [phone] = Object.values(structuredClone(RELEASED)) as [PhoneDatabase];
  phone.stores.files!.records = [];
  await expect(sentFrom(phone)).resolves.toHaveLength(2);
});

test('what today’s app stores is among the samples', async () => {
  const today = encoded(await phoneToday());
  const isKnown = Object.values(RELEASED).some((phone) => encoded(phone) === today);
  if (!isKnown) throw new Error(`${FILE} lacks it: add it under the version to come.\n${today}`);
});
