import { AUDIT_AREAS, type AuditArea } from '@arboleda/contracts/audit.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import { saveFile } from '../../api/save-file.ts';
import type { PortalCall } from '../../session/session.ts';
import { rangeOf } from '../payments/payments.ts';

export type AuditRow = Answer<'GET /api/admin/audit-log'>['rows'][number];

export const AREAS = ['', ...AUDIT_AREAS] as const satisfies readonly (AuditArea | '')[];

export interface Filter {
  who: string;
  area: AuditArea | '';
  object: string;
  /** Days as date inputs write them, or empty. */
  from: string;
  to: string;
}

/** The server's default. */
export const PAGE_ROWS = 50;
/** A log of years takes minutes. */
const EXPORT_TIMEOUT_MS = 300_000;

/** Ids are typed with blanks or a hash sign around them, too. */
const idOf = (text: string): string => text.replace(/[^\w-]/g, '').slice(0, 64);

const queryOf = ({ who, area, object, from, to }: Filter) => ({
  ...(who && { who }),
  ...(area && { area }),
  ...(idOf(object) && { object: idOf(object) }),
  ...rangeOf(from, to),
});

export const useAuditLog = (call: PortalCall, filter: Filter, cursor: string | undefined) =>
  useQuery({
    queryKey: ['admin', 'audit', ...Object.values(filter), cursor ?? ''],
    queryFn: ({ signal }) =>
      call('GET /api/admin/audit-log', { query: { cursor, ...queryOf(filter) }, signal }),
    placeholderData: keepPreviousData,
  });

export const useAuditExport = (call: PortalCall, name: string) =>
  useMutation({
    mutationFn: async (filter: Filter) => {
      const query = queryOf(filter);
      const file = await call('GET /api/admin/audit-log/export', { query, timeoutMs: EXPORT_TIMEOUT_MS });
      saveFile(file, `${name}-${dayOf(new Date())}.csv`);
    },
  });
