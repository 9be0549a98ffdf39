import type { PhotoState } from '@arboleda/contracts/photo.ts';
import { useQuery } from '@tanstack/react-query';
import { askedPauseMs } from '../../api/refresh.ts';
import { ApiProblem } from '../../api/problem.ts';
import type { OpenSession } from '../../portal/Gate.tsx';
import { type Item, isUnsettled } from './item.ts';
import type { Outbox } from './outbox.ts';

/** Polling interval while renditions are being made, ms. */
const LOOK_AGAIN_MS = 5_000;

/** Polls the state of sent photos; unshowable or unknown ones become visible again. */
export function useSentPhotos(
  { call, person }: OpenSession<'worker'>,
  outbox: Outbox | undefined,
  items: readonly Item[],
): void {
  const unsettled = items.filter(isUnsettled);

  async function stateOf(filename: string, signal: AbortSignal): Promise<PhotoState | undefined> {
    try {
      const parts = { params: { filename }, signal };
      return (await call('GET /api/workers/photos/{filename}', parts)).state;
    } catch (error) {
      if (error instanceof ApiProblem && error.type === 'not-found') return undefined;
      throw error;
    }
  }

  useQuery({
    queryKey: ['worker', 'sent-photos', person.id, ...unsettled.map(({ id }) => id)],
    enabled: outbox !== undefined && unsettled.length > 0,
    networkMode: 'always',
    retry: false,
    queryFn: async ({ signal }) => {
      for (const { id, state } of unsettled) {
        if (state.step !== 'sent') continue;
        const found = await stateOf(state.filename, signal);
        if (found !== 'accepted') await outbox!.settle(id, found);
      }
      return null;
    },
    refetchInterval: ({ state }) => Math.max(LOOK_AGAIN_MS, askedPauseMs(state.error)),
  });
}
