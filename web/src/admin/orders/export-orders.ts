import { useMutation } from '@tanstack/react-query';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import type { RequestQuery } from '../../api/client.ts';
import { saveFile } from '../../api/save-file.ts';
import type { PortalCall } from '../../session/session.ts';

/** An export of a million rows takes minutes. */
const EXPORT_TIMEOUT_MS = 300_000;

export const useExport = (call: PortalCall, name: string) =>
  useMutation({
    mutationFn: async (query: RequestQuery<'GET /api/admin/orders/export'>) => {
      const file = await call('GET /api/admin/orders/export', { query, timeoutMs: EXPORT_TIMEOUT_MS });
      saveFile(file, `${name}-${dayOf(new Date())}.csv`);
    },
  });
