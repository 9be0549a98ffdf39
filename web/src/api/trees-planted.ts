import { call } from './client.ts';

/** Fallback count: product spec section 9. */
export const DEFAULT_TREES_PLANTED = 50_000;

/** Trees planted so far. Failures are logged here; callers show the default above. */
export async function loadTreesPlanted(signal?: AbortSignal): Promise<number> {
  try {
    return (await call('GET /api/stats', { signal })).treesPlanted;
  } catch (failure) {
    if (!signal?.aborted) console.error('The tree count could not be loaded', failure);
    throw failure;
  }
}
