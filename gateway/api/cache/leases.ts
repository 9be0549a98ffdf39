/** What a service allows to be told for a while to all who ask the same: that a version is the one, and how it is served. */
export interface Lease {
  etag: string;
  /** Of a 304, names and values in turn. */
  head: readonly string[];
  /** On a clock that nobody sets, such as performance.now(). */
  endsAt: number;
}

/** Leases by what is asked. They hold no bytes. */
export interface Leases {
  /** One that has not ended. */
  of(key: string): Lease | undefined;
  keep(key: string, lease: Lease): void;
}

/** Of longer keys nothing is kept, so that so many leases take so much memory. */
const MAX_KEY_LENGTH = 1_024;

export function openLeases(maxLeases: number, now: () => number): Leases {
  // A Map tells its keys in the order in which they were put in. All leases last as long: the oldest ends first.
  const byKey = new Map<string, Lease>();
  return {
    of(key) {
      const lease = byKey.get(key);
      return lease && now() < lease.endsAt ? lease : undefined;
    },
    keep(key, lease) {
      if (key.length > MAX_KEY_LENGTH) return;
      byKey.delete(key);
      byKey.set(key, lease);
      for (const [oldest, { endsAt }] of byKey) {
        if (byKey.size <= maxLeases && now() < endsAt) return;
        byKey.delete(oldest);
      }
    },
  };
}
