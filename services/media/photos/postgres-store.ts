import { openTable, type TableDefinition } from '@arboleda/chassis/records.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { PhotoFlag, PhotoState } from '@arboleda/contracts/photo.ts';
import type { Photo, PictureStep, Work } from './photo.ts';
import type { Page, PhotoStore } from './store.ts';

type Details = Omit<
  Photo,
  '_id' | 'filename' | 'clientKey' | 'contentHash' | 'orderId' | 'uploadedAt' | 'state' | 'flags' | 'work'
>;

export interface PhotoRow {
  filename: string;
  client_key: string | null;
  content_hash: string;
  order_id: string;
  uploaded_at: Date;
  state: PhotoState;
  flags: readonly PhotoFlag[];
  is_hidden: boolean;
  step: PictureStep | null;
  due_at: Date | null;
  tries: number;
  work: Pick<Work, 'context' | 'givenUp'> | null;
  details: Details;
}

export const PHOTOS: TableDefinition<Photo, PhotoRow> = {
  table: 'photos',
  keepsTrace: true,
  columns: [
    'filename',
    'client_key',
    'content_hash',
    'order_id',
    'uploaded_at',
    'state',
    'flags',
    'is_hidden',
    'step',
    'due_at',
    'tries',
    'work',
    'details',
  ],
  idOf: ({ _id }) => _id,
  toRow({ _id, filename, clientKey, contentHash, orderId, uploadedAt, state, flags, work, ...details }) {
    return {
      filename,
      client_key: clientKey ?? null,
      content_hash: contentHash,
      order_id: orderId,
      uploaded_at: new Date(uploadedAt),
      state,
      flags,
      is_hidden: details.hidden !== undefined,
      step: work?.step ?? null,
      due_at: work?.dueAt === undefined ? null : new Date(work.dueAt),
      tries: work?.tries ?? 0,
      work: work ? { context: work.context, ...(work.givenUp && { givenUp: work.givenUp }) } : null,
      details,
    };
  },
  fromRow: ({ id, step, due_at: dueAt, tries, work, ...row }) => ({
    ...row.details,
    _id: id,
    filename: row.filename,
    ...(row.client_key !== null && { clientKey: row.client_key }),
    contentHash: row.content_hash,
    orderId: row.order_id,
    uploadedAt: row.uploaded_at.toISOString(),
    state: row.state,
    flags: row.flags,
    ...(step && work && { work: { ...work, step, tries, ...(dueAt && { dueAt: dueAt.toISOString() }) } }),
  }),
};

const MOST_OF_FILES = 200;
const MOST_GIVEN_UP = 1_000;

const LEASE = `
  update photos set version = version + 1, due_at = $3, tries = tries + 1
  where id = (
    select id from photos where step = any($1) and due_at <= $2
    order by step, due_at limit 1 for update skip locked)
  returning id, ${PHOTOS.columns.join(', ')}`;

const COUNT = `
  select count(*)::int as n from photos where step is not null
  and case when $1 = 'givenUp' then due_at is null else step = $1 and due_at is not null end`;

export function openPostgresPhotos(sql: Sql): PhotoStore {
  const { get, change, select } = openTable(sql, PHOTOS);
  const page = (where: string, values: string[], direction: 'asc' | 'desc', { after, limit }: Page) => {
    const [at, id] = [values.length + 1, values.length + 2];
    const behind = after ? `and (uploaded_at, id) ${direction === 'asc' ? '>' : '<'} ($${at}, $${id})` : '';
    return select(
      `where ${where} ${behind} order by uploaded_at ${direction}, id ${direction} limit ${limit}`,
      [...values, ...(after ?? [])],
    );
  };
  return {
    engine: sql.engine,
    check: sql.check,
    close: sql.close,
    get,
    change,
    byFilenames: (filenames) => select('where filename = any($1)', [filenames]),
    byClientKey: async (clientKey) => (await select('where client_key = $1', [clientKey]))[0],
    ofFiles: (contentHashes) =>
      select(`where content_hash = any($1) limit ${MOST_OF_FILES}`, [contentHashes]),
    ofOrder: (orderId, of) => page('order_id = $1', [orderId], 'asc', of),
    // Must match the conditions of the partial indexes.
    flagged({ flag, isHidden, orderId, workerId }, of) {
      const values: string[] = [];
      const conditions = [
        "flags <> '{}'",
        ...(flag ? [`flags @> '{${flag}}'`] : []),
        ...(isHidden === undefined ? [] : [isHidden ? 'is_hidden' : 'not is_hidden']),
        ...(orderId === undefined ? [] : [`order_id = $${values.push(orderId)}`]),
        ...(workerId === undefined ? [] : [`details ->> 'workerId' = $${values.push(workerId)}`]),
      ];
      return page(conditions.join(' and '), values, 'desc', of);
    },
    async lease(steps, now, until) {
      const { rows } = await sql.query<PhotoRow & { id: string }>(LEASE, [steps, now, until]);
      return rows[0] && PHOTOS.fromRow(rows[0]);
    },
    givenUp: () =>
      select(`where step is not null and due_at is null order by uploaded_at limit ${MOST_GIVEN_UP}`),
    async count(what) {
      const { rows } = await sql.query<{ n: number }>(COUNT, [what]);
      return rows[0]!.n;
    },
  };
}
