/** What was seen lately, by key; of more than `max` the oldest is forgotten. */
export interface Seen<T> {
  get(key: string): T | undefined;
  note(key: string, value: T): void;
  forget(key: string): void;
}

export function openSeen<T>(options: { forMs: number; max: number; now: () => number }): Seen<T> {
  const { forMs, max, now } = options;
  // A Map tells its keys in the order in which they were put in.
  const seen = new Map<string, { value: T; at: number }>();
  return {
    get(key) {
      const found = seen.get(key);
      return found && now() - found.at <= forMs ? found.value : undefined;
    },
    note(key, value) {
      seen.delete(key);
      seen.set(key, { value, at: now() });
      if (seen.size > max) seen.delete(seen.keys().next().value!);
    },
    forget: (key) => void seen.delete(key),
  };
}
