import type pg from 'pg';
import { addJobs } from './add.ts';

/** What nobody could handle, with all that is needed to try it once more. */
export interface Burial {
  /** `event:<group>:<type>` or `job:<service>:<name>` */
  task: string;
  queue?: string | null | undefined;
  key?: string | null | undefined;
  payload: unknown;
  error: string;
}

export interface Grave {
  id: string;
  owner: string;
  task: string;
  payload: unknown;
  error: string;
  failed_at: Date;
}

type Client = Pick<pg.Pool, 'query'>;

export async function buryAll(client: Client, burials: readonly Burial[]): Promise<void> {
  if (burials.length === 0) return;
  await client.query(
    `insert into chassis.dead_letters (kind, owner, task, queue, key, payload, error)
     select split_part(task, ':', 1), split_part(task, ':', 2), task, queue, key, payload, error
     from json_to_recordset($1::json) as e(task text, queue text, key text, payload jsonb, error text)`,
    [JSON.stringify(burials)],
  );
}

/** Oldest first. */
export async function listDead(client: Client, kind: 'event' | 'job', owner?: string): Promise<Grave[]> {
  const { rows } = await client.query<Grave>(
    `select id, owner, task, payload, error, failed_at from chassis.dead_letters
     where kind = $1 and ($2::text is null or owner = $2) order by failed_at, id`,
    [kind, owner ?? null],
  );
  return rows;
}

/** @returns false when there is none of that id. */
export async function forget(client: Client, kind: 'event' | 'job', id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'delete from chassis.dead_letters where kind = $1 and id::text = $2',
    [kind, id],
  );
  return rowCount === 1;
}

/** Queues it again, with all its tries before it. @returns false when there is none of that id. */
export async function exhume(client: Client, kind: 'event' | 'job', id: string): Promise<boolean> {
  const { rows } = await client.query<{
    task: string;
    queue: string | null;
    key: string | null;
    payload: object;
  }>(
    'delete from chassis.dead_letters where kind = $1 and id::text = $2 returning task, queue, key, payload',
    [kind, id],
  );
  const [grave] = rows;
  if (!grave) return false;
  await addJobs(client, [
    {
      task: grave.task,
      queue: grave.queue ?? undefined,
      key: grave.key ?? undefined,
      payload: { ...grave.payload, attempt: 0 },
      flag: grave.task.startsWith('job:') ? grave.task : undefined,
    },
  ]);
  return true;
}
