import { openMongo } from '@arboleda/chassis/adapters/mongodb/client.ts';
import { waitedFor } from '@arboleda/chassis/backup/pause.ts';
import type { Document, DocumentCopies } from '@arboleda/chassis/backup/stores.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import type pg from 'pg';
import { originalKey } from './photos/objects.ts';
import type { StoredPhoto } from './photos/mongodb-outbox.ts';
import { openMongoPhotos } from './photos/mongodb-store.ts';
import type { Photo } from './photos/photo.ts';
import { type PhotoRow, PHOTOS } from './photos/postgres-store.ts';

/** A photo as a backup keeps it, in both tiers. */
interface PhotoCopy {
  version: number;
  traceparent?: string;
  photo: Photo;
}

const AT_ONCE = 500;
const COLUMNS = PHOTOS.columns.join(', ');

const toDocument = (copy: PhotoCopy, outbox: ArboledaEvent[] = []): Document => ({
  document: copy,
  outbox,
  facts: [
    ['photo', copy.photo.filename],
    ['order of photo', copy.photo.orderId],
    ['object of media', originalKey(copy.photo)],
  ],
});

async function* fromPostgres(client: pg.Client): AsyncGenerator<Document> {
  let after = '';
  for (;;) {
    const { rows } = await client.query<
      PhotoRow & { id: string; version: number; traceparent: string | null }
    >(
      // A backup before an upgrade reads the columns of the previous version.
      `select * from media.photos where id > $1 order by id limit ${AT_ONCE}`,
      [after],
    );
    for (const { version, traceparent, ...row } of rows)
      yield toDocument({ version, ...(traceparent !== null && { traceparent }), photo: PHOTOS.fromRow(row) });
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}

async function toPostgres(client: pg.Client, document: object): Promise<void> {
  const { version, traceparent, photo } = document as PhotoCopy;
  const row = { id: photo._id, version, traceparent, ...PHOTOS.toRow(photo) };
  await client.query(
    `insert into media.photos (id, version, traceparent, ${COLUMNS})
     select id, version, traceparent, ${COLUMNS} from jsonb_populate_record(null::media.photos, $1::jsonb)`,
    [JSON.stringify(row)],
  );
}

const quiet = openLogger('backup', 'error');

async function* fromMongodb(databaseUrl: string): AsyncGenerator<Document> {
  const mongo = openMongo(databaseUrl, quiet);
  try {
    const photos = mongo.database('media').collection<StoredPhoto>('photos');
    let after = '';
    for (;;) {
      const some = await waitedFor(async () => {
        await mongo.connect();
        return photos.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: AT_ONCE }).toArray();
      });
      for (const { version, traceparent, photo, outbox = [] } of some)
        yield toDocument(
          { version, ...(traceparent !== undefined && { traceparent }), photo },
          outbox.map(({ event }) => JSON.parse(event) as ArboledaEvent),
        );
      if (some.length < AT_ONCE) return;
      after = some.at(-1)!._id;
    }
  } finally {
    await mongo.close();
  }
}

const toMongodb: DocumentCopies['toMongodb'] = async (databaseUrl) => {
  const mongo = openMongo(databaseUrl, quiet);
  const db = mongo.database('media');
  // Its indexes.
  const store = await openMongoPhotos({ db, bus: { publish: async () => undefined }, logger: quiet });
  const photos = db.collection<StoredPhoto>('photos');
  let waiting: StoredPhoto[] = [];
  const flush = async () => {
    if (waiting.length > 0) await photos.insertMany(waiting);
    waiting = [];
  };
  return {
    async write(document) {
      const { photo, ...rest } = document as PhotoCopy;
      waiting.push({ _id: photo._id, ...rest, photo, isFlagged: photo.flags.length > 0 });
      if (waiting.length >= AT_ONCE) await flush();
    },
    async close() {
      await flush();
      await store.close();
      await mongo.close();
    },
  };
};

/** Photos, which are rows of PostgreSQL or documents of MongoDB. */
export const documents: DocumentCopies = {
  tables: ['photos'],
  fromPostgres,
  toPostgres,
  fromMongodb,
  toMongodb,
};
