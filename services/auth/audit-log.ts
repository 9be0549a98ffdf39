import { type AuditFilter, auditCursor, auditLogOf, positionOf } from '@arboleda/chassis/audit/read.ts';
import { type CsvCell, openCsv, withoutFormula } from '@arboleda/chassis/csv.ts';
import type { ServiceClient } from '@arboleda/chassis/http/client.ts';
import { pageOf } from '@arboleda/chassis/http/cursor.ts';
import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { AuditedService } from '@arboleda/contracts/audit.ts';
import type { AuditRow } from '@arboleda/contracts/audit-entry.ts';
import type { auditLogEndpoints } from '@arboleda/contracts/endpoints/audit-log.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { dayOf, momentOf, organisationTimeZone } from '@arboleda/contracts/time-zone.ts';

type Query = AuditFilter & { limit: number; cursor?: string | undefined };
type Read = (query: Query) => Promise<{ rows: AuditRow[] }>;

interface Page {
  rows: AuditRow[];
  nextCursor?: string;
  unavailable: AuditedService[];
}

const EXPORT_PAGE = 200;

/** The audit logs of all services as one. Each service keeps its own, in the transaction of what it changes. */
export function auditLogRoutes(parts: {
  sql: Sql;
  call: ServiceClient;
  clock: () => Date;
  logger: Logger;
}): Handlers<typeof auditLogEndpoints> {
  const { sql, call, clock, logger } = parts;
  const logs: Record<AuditedService, Read> = {
    auth: auditLogOf(sql, 'auth'),
    payments: (query) => call('GET /internal/payments/audit-log', { query: query as never }),
    orders: (query) => call('GET /internal/orders/audit-log', { query: query as never }),
    assignments: (query) => call('GET /internal/assignments/audit-log', { query: query as never }),
    notifications: (query) => call('GET /internal/notifications/audit-log', { query: query as never }),
  };

  /** A service that cannot be asked is named, and does not hide the others' rows. */
  async function page({ limit, ...query }: Query): Promise<Page> {
    if (query.cursor !== undefined) auditCursor.decode(query.cursor);
    const unavailable: AuditedService[] = [];
    const found = await Promise.all(
      (Object.entries(logs) as [AuditedService, Read][]).map(([service, read]) =>
        read({ ...query, limit: limit + 1 }).then(
          ({ rows }) => rows,
          (error: unknown) => {
            logger.warn({ err: error, of: service }, 'an audit log could not be read');
            unavailable.push(service);
            return [];
          },
        ),
      ),
    );
    const rows = found.flat().sort(newestFirst);
    return { ...pageOf(rows, limit, (last) => auditCursor.encode(positionOf(last))), unavailable };
  }

  /** @throws Problem `unavailable`, as an export with gaps would look whole */
  async function wholePage(query: Query): Promise<Page> {
    const found = await page(query);
    if (found.unavailable.length > 0) throw new Problem('unavailable', { retryAfterSeconds: 2 });
    return found;
  }

  return {
    'GET /api/admin/audit-log': ({ query }) => page(query),

    async 'GET /api/admin/audit-log/export'({ query, language }) {
      const first = await wholePage({ ...query, limit: EXPORT_PAGE });
      async function* rows() {
        for (
          let at = first;
          ;
          at = await wholePage({ ...query, limit: EXPORT_PAGE, cursor: at.nextCursor })
        ) {
          for (const row of at.rows) yield cellsOf(row);
          if (at.nextCursor === undefined) return;
        }
      }
      return {
        contentType: 'text/csv; charset=utf-8',
        bytes: openCsv(columnsIn(language), rows(), language),
        saveAs: `${language === 'es' ? 'registro-de-auditoria' : 'audit-log'}-${dayOf(clock().toISOString())}.csv`,
      };
    },
  };
}

/** By time, service and number, as a service compares them with a cursor. */
function newestFirst(one: AuditRow, other: AuditRow): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  if (one.service !== other.service) return one.service < other.service ? 1 : -1;
  return other.seq - one.seq;
}

const COLUMNS: Record<string, Record<Language, string>> = {
  at: { en: 'Time', es: 'Hora' },
  who: { en: 'Who', es: 'Quién' },
  email: { en: 'Email', es: 'Correo' },
  role: { en: 'Role', es: 'Rol' },
  action: { en: 'Action', es: 'Acción' },
  objectType: { en: 'Kind of object', es: 'Tipo de objeto' },
  objectId: { en: 'Object', es: 'Objeto' },
  order: { en: 'Order', es: 'Pedido' },
  before: { en: 'Before', es: 'Antes' },
  after: { en: 'After', es: 'Después' },
  withheld: { en: 'Also changed, without values', es: 'También cambió, sin valores' },
  correlationId: { en: 'Correlation id', es: 'Id de correlación' },
  service: { en: 'Service', es: 'Servicio' },
  seq: { en: 'Number', es: 'Número' },
};

const columnsIn = (language: Language) =>
  Object.entries(COLUMNS).map(([key, header]) => ({
    key,
    header: key === 'at' ? `${header[language]} (${organisationTimeZone()})` : header[language],
  }));

function cellsOf({
  by,
  object,
  orderId,
  before,
  after,
  withheld = [],
  ...row
}: AuditRow): Record<string, CsvCell> {
  const texts = {
    who: by.name ?? by.kind,
    email: by.email ?? '',
    role: by.role ?? by.kind,
    action: row.action,
    objectType: object?.type ?? '',
    objectId: object?.id ?? '',
    order: orderId === undefined ? '' : shortId(orderId),
    before: before ? JSON.stringify(before) : '',
    after: after ? JSON.stringify(after) : '',
    withheld: withheld.join(' '),
    correlationId: row.correlationId,
    service: row.service,
  };
  const plain = Object.entries(texts).map(([key, text]) => [key, withoutFormula(text)] as const);
  return { at: momentOf(row.at), ...Object.fromEntries(plain), seq: row.seq };
}
