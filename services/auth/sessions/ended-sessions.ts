import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { z } from 'zod';

/** Tokens live 12 h; the rest allows for clock differences. */
const KEPT = `interval '13 hours'`;
/** A transaction may become visible this long after its instant. */
const OVERLAP = `interval '15 seconds'`;
const PAGE = 1000;

/** Cursor: an instant to the microsecond, and an account. */
const position = z.tuple([z.iso.datetime(), z.string()]);
const START: z.infer<typeof position> = ['1970-01-01T00:00:00Z', ''];

export interface EndedPage {
  accounts: { id: string; tokenVersion: number }[];
  nextCursor: string;
  more: boolean;
}

const instantOf = (sqlInstant: string) =>
  `to_char((${sqlInstant}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Accounts whose sessions were ended, oldest first. Triggers on accounts maintain the table. */
export async function endedSessions(sql: Sql, cursor: string | undefined): Promise<EndedPage> {
  const { rows } = await sql.query<{ id: string; token_version: number; at: string; drained: string }>(
    `with page as (
       select account_id, token_version, ended_at from ended_sessions
       where (ended_at, account_id) > ($1::timestamptz, $2) and ended_at > now() - ${KEPT}
       order by ended_at, account_id limit ${PAGE})
     select account_id as id, token_version, ${instantOf('ended_at')} as at, ${instantOf(`now() - ${OVERLAP}`)} as drained
     from (select now()) as one left join page on true order by ended_at, account_id`,
    decode(cursor),
  );
  const accounts = rows
    .filter(({ id }) => id !== null)
    .map(({ id, token_version: tokenVersion }) => ({ id, tokenVersion }));
  const more = accounts.length === PAGE;
  const { at, id, drained } = rows.at(-1)!;
  return { accounts, nextCursor: encode(more ? [at, id] : [drained, '']), more };
}

/** @returns how many were deleted */
export async function sweepEndedSessions(sql: Sql, now: Date, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `delete from ended_sessions where account_id in (
       select account_id from ended_sessions where ended_at < $1::timestamptz - ${KEPT} order by ended_at limit $2)`,
    [now, limit],
  );
  return rowCount ?? 0;
}

const encode = (at: z.infer<typeof position>): string =>
  Buffer.from(JSON.stringify(at)).toString('base64url');

/**
 * An unreadable cursor, of another version of this service, starts from the beginning, so that no end is
 * missed.
 */
function decode(cursor: string | undefined): z.infer<typeof position> {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString()));
  } catch {
    return START;
  }
}
