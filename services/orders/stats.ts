/**
 * Remembers what `load` gave for a while, so that a full landing page costs one query and not one for each visitor.
 * Calls that come while it loads share the answer; a failure is not remembered.
 */
export function remembered<T>(load: () => Promise<T>, forMs: number, clock: () => Date): () => Promise<T> {
  let kept: { value: Promise<T>; untilMs: number } | undefined;
  return () => {
    const nowMs = clock().getTime();
    if (kept && nowMs < kept.untilMs) return kept.value;
    const fresh = { value: load(), untilMs: nowMs + forMs };
    kept = fresh;
    fresh.value.catch(() => {
      if (kept === fresh) kept = undefined;
    });
    return fresh.value;
  };
}
