import { call } from './client.ts';

/** Product spec section 9: what is shown when the count cannot be had. */
export const DEFAULT_TREES_PLANTED = 50_000;

/** Trees planted so far. A failure is logged here; what to show then is the default above. */
export async function loadTreesPlanted(signal?: AbortSignal): Promise<number> {
  try {
    return (await call('GET /api/stats', { signal })).treesPlanted;
  } catch (failure) {
    if (!signal?.aborted) console.error('The tree count could not be loaded', failure);
    throw failure;
  }
}
