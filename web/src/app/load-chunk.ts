/** Product spec section 9: how long a part of the app may take before it counts as lost. */
export const CHUNK_TIMEOUT_MS = 120_000;

const RELOADED_KEY = 'arboleda.reloaded-at';
const ONCE_PER_MS = 60_000;

/** A part of the app that did not arrive: the line broke, or a newer build has taken its place. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/** What browsers say of a script or a style sheet that could not be had. */
const LOST = /dynamically imported module|importing a module script failed|unable to preload css/i;

export const isChunkLoss = (error: unknown): boolean =>
  error instanceof ChunkLoadError || (error instanceof Error && LOST.test(error.message));

/**
 * Fetches a part of the app.
 * @throws ChunkLoadError when it does not arrive, or not in time
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('Loading chunk failed: no answer')), CHUNK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (error) {
    throw isChunkLoss(error) && !(error instanceof ChunkLoadError)
      ? new ChunkLoadError('Loading chunk failed', { cause: error })
      : error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * After a deploy an open page may ask for what is gone: load the page again, but never in a circle.
 * @returns whether the page is on its way
 */
export function reloadOnce(reload = () => window.location.reload()): boolean {
  try {
    const last = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
    if (Date.now() - last < ONCE_PER_MS) return false;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  } catch {
    // A browser that keeps nothing could not tell a first time from a second one.
    return false;
  }
  reload();
  return true;
}
