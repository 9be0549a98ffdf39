import { type AuditedService } from '@arboleda/contracts/audit.ts';
import { type AuditEntry, type AuditRow } from '@arboleda/contracts/audit-entry.ts';
import { instant } from '@arboleda/contracts/fields.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { z } from 'zod';
import { cursorOf } from '../http/cursor.ts';
import type { Sql } from '../ports/sql.ts';

/** All fields are optional: see contracts/endpoints/audit-log.ts. */
export interface AuditFilter {
  who?: string | undefined;
  area?: string | undefined;
  object?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The last row of the previous page, of whichever service. */
export const auditCursor = cursorOf(z.tuple([instant, z.enum(SERVICES), z.int()]));

export const positionOf = ({ at, service, seq }: AuditRow) =>
  [at, service, seq] as [string, typeof service, number];

const SELECT = `
  select seq, entry from _audit_log
  where ($1::text is null or starts_with(lower(entry -> 'by' ->> 'email'), lower($1))
      or starts_with(lower(entry -> 'by' ->> 'name'), lower($1)) or entry -> 'by' ->> 'id' = $1
      or (entry -> 'by' ->> 'kind' = lower($1) and lower($1) <> 'admin'))
    and ($2::text is null or split_part(entry ->> 'action', '.', 1) = $2)
    and ($3::text is null or entry -> 'object' ->> 'id' = $3 or order_id = lower($3) or right(order_id, 6) = lower($3))
    and ($4::text is null or at >= $4) and ($5::text is null or at < $5)
    and ($6::text is null or (at <= $6 and (at, $9::text, seq) < ($6, $7, $8::bigint)))
  order by at desc, seq desc limit $10`;

/** Reads a service's audit log, newest first. The order of all services' rows is by time, service and number. */
export const auditLogOf =
  (sql: Pick<Sql, 'query'>, service: AuditedService) =>
  async (
    query: AuditFilter & { limit: number; cursor?: string | undefined },
  ): Promise<{ rows: AuditRow[] }> => {
    const [at, of, seq] = query.cursor === undefined ? [] : auditCursor.decode(query.cursor);
    const { rows } = await sql.query<{ seq: string; entry: AuditEntry }>(SELECT, [
      query.who || null,
      query.area ?? null,
      query.object ?? null,
      exact(query.from),
      exact(query.to),
      at ?? null,
      of ?? null,
      seq ?? null,
      service,
      query.limit,
    ]);
    return { rows: rows.map((row) => ({ ...row.entry, service, seq: Number(row.seq) })) };
  };

/** Times are compared as text, so they must be written as they are stored. */
const exact = (at: string | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString();
