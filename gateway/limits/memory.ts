import type { CallCounter, Rule } from './counter.ts';

interface Window {
  calls: number;
  /** On the counter's clock. */
  endsAt: number;
}

/** Counts the calls of this process, which is done for each of them: in one step, where a library's way takes six promises. */
export function openMemoryCounter(clock = () => performance.now()): CallCounter {
  const windowsBy = new Map<string, Map<string, Window>>();

  function windowOf({ name, windowSeconds }: Rule, caller: string, now: number): Window {
    // A Map tells its keys in the order in which they were put in. All windows of a rule last as long: the oldest ends first.
    const windows = windowsBy.get(name) ?? new Map<string, Window>();
    const open = windows.get(caller);
    if (open && now < open.endsAt) return open;
    windowsBy.set(name, windows);
    for (const [oldest, { endsAt }] of windows) {
      if (now < endsAt) break;
      windows.delete(oldest);
    }
    const begun = { calls: 0, endsAt: now + windowSeconds * 1_000 };
    windows.set(caller, begun);
    return begun;
  }

  return {
    count(rule, caller) {
      const now = clock();
      const window = windowOf(rule, caller, now);
      window.calls += 1;
      return Promise.resolve({
        isAllowed: window.calls <= rule.max,
        remaining: Math.max(0, rule.max - window.calls),
        msLeft: Math.ceil(window.endsAt - now),
      });
    },
    close: () => Promise.resolve(),
  };
}
