const RELOADED_KEY = 'arboleda.reloaded-at';
const ONCE_PER_MS = 60_000;

/** After a deploy an open page may ask for a chunk that is gone: load the page again, but never in a circle. */
export function reloadOnStaleChunk(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
    if (Date.now() - last < ONCE_PER_MS) return;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
    event.preventDefault();
    window.location.reload();
  });
}
