import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { useMutation } from '@tanstack/react-query';
import type { Answer, RequestQuery } from '../../api/client.ts';
import { saveFile } from '../../api/save-file.ts';
import type { PortalCall } from '../../session/session.ts';

export type AuditRow = Answer<'GET /api/admin/audit-log'>['rows'][number];
export type AuditQuery = RequestQuery<'GET /api/admin/audit-log/export'>;

/** A log of years takes minutes. */
const EXPORT_TIMEOUT_MS = 300_000;

/** Ids are typed with blanks or a hash sign around them, too. */
export const idOf = (text: string): string => text.replace(/[^\w-]/g, '').slice(0, 64);

export const useAuditExport = (call: PortalCall, name: string) =>
  useMutation({
    mutationFn: async (query: AuditQuery) => {
      const file = await call('GET /api/admin/audit-log/export', { query, timeoutMs: EXPORT_TIMEOUT_MS });
      saveFile(file, `${name}-${dayOf(new Date())}.csv`);
    },
  });
