/** How many may run while others come who need a processor: one fewer than else, and at least one. */
export interface GivingWay {
  /** Somebody comes now. */
  begin(): void;
  allowed(): number;
}

/** Long enough for the next photo of an album that is being sent. */
const WAY_MS = 1_000;
/** Who sends for hours is not to keep pictures waiting all the while: then all run until there is a rest. */
const MOST_MS = 120_000;

/** @param changed called when more are allowed again */
export function openGivingWay(
  max: number,
  changed: () => void,
  { wayMs = WAY_MS, mostMs = MOST_MS } = {},
): GivingWay {
  /** Of `performance.now()`; the first of those who came one after another. */
  let sinceMs: number | undefined;
  let ending: NodeJS.Timeout | undefined;
  return {
    begin() {
      sinceMs ??= performance.now();
      clearTimeout(ending);
      ending = setTimeout(() => {
        sinceMs = undefined;
        changed();
      }, wayMs).unref();
    },
    allowed: () =>
      sinceMs === undefined || performance.now() - sinceMs >= mostMs ? max : Math.max(1, max - 1),
  };
}
