/** Concurrency limits per task in this process. */
export interface Limits {
  set(task: string, most: number): void;
  /** @returns false when the limit is reached */
  take(task: string): boolean;
  give(task: string): void;
  /** Tasks at their limit. */
  full(): string[];
}

export function openLimits(): Limits {
  const limits = new Map<string, { most: number; running: number }>();
  const of = (task: string) => {
    const limit = limits.get(task);
    if (!limit) throw new Error(`${task} has no limit`);
    return limit;
  };
  return {
    set: (task, most) => void limits.set(task, { most, running: limits.get(task)?.running ?? 0 }),
    take(task) {
      const limit = of(task);
      if (limit.running >= limit.most) return false;
      limit.running++;
      return true;
    },
    give: (task) => void of(task).running--,
    full: () => [...limits].filter(([, limit]) => limit.running >= limit.most).map(([task]) => task),
  };
}
