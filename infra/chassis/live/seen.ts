export interface TimestampedRecord {
  _id: string;
  /** ISO instant, by the clock of the process that wrote. */
  updatedAt: string;
}

/** Remembers which versions were sent. */
export interface SentVersions<T extends TimestampedRecord> {
  /** @returns whether this version of the record is new */
  add(record: T): boolean;
  /** Forgets records that changed before. @param since ISO instant */
  forgetBefore(since: string): void;
  /** The last version of each remembered record. */
  records(): Iterable<T>;
}

/** @param versionOf differs between any two states of a record */
export function openSentVersions<T extends TimestampedRecord>(
  versionOf: (record: T) => string,
): SentVersions<T> {
  const seen = new Map<string, T>();
  return {
    add(record) {
      const known = seen.get(record._id);
      if (known && versionOf(known) === versionOf(record)) return false;
      seen.set(record._id, record);
      return true;
    },
    forgetBefore(since) {
      for (const [id, { updatedAt }] of seen) if (updatedAt < since) seen.delete(id);
    },
    records: () => seen.values(),
  };
}
