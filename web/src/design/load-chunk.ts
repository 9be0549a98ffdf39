/** Product spec section 9: a chunk that takes longer counts as lost. */
export const CHUNK_TIMEOUT_MS = 120_000;

const RELOADED_KEY = 'arboleda.reloaded-at';
const ONCE_PER_MS = 60_000;

/** A chunk could not be loaded: the connection broke, or a newer build replaced it. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/** Browsers' messages for scripts or style sheets that failed to load. */
const LOST = /dynamically imported module|importing a module script failed|unable to preload css/i;

export const isChunkLoss = (error: unknown): boolean =>
  error instanceof ChunkLoadError || (error instanceof Error && LOST.test(error.message));

/** Loads a chunk. @throws ChunkLoadError on failure or timeout */
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
 * After a deploy an open page may request deleted chunks; reloading helps, but never in a loop.
 * @returns whether the page reloads
 */
export function reloadOnce(reload = () => window.location.reload()): boolean {
  try {
    const last = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
    if (Date.now() - last < ONCE_PER_MS) return false;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  } catch {
    // Without storage a second reload could not be recognized.
    return false;
  }
  reload();
  return true;
}
