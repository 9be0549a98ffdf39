import type pg from 'pg';

export interface Letter {
  id: string;
  owner: string;
  task: string;
  key: string | null;
  payload: unknown;
  error: string;
  failed_at: Date;
}

type Kind = 'event' | 'job';
type Client = Pick<pg.Pool, 'query'>;

/** Oldest first. */
export async function listDead(client: Client, kind: Kind, owner?: string): Promise<Letter[]> {
  const { rows } = await client.query<Letter>(
    `select id, owner, task, key, payload, error, failed_at from chassis.dead_letters
     where kind = $1 and ($2::text is null or owner = $2) order by failed_at, id`,
    [kind, owner ?? null],
  );
  return rows;
}

/** @returns false when there is no dead letter with this id */
export async function deleteDeadLetter(client: Client, kind: Kind, id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'delete from chassis.dead_letters where kind = $1 and id::text = $2',
    [kind, id],
  );
  return rowCount === 1;
}
