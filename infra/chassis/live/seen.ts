/** A record that says when it was last changed. */
export interface Changing {
  _id: string;
  /** ISO instant, of the process that wrote. */
  updatedAt: string;
}

/** Tells changes that are new from those that were told already. */
export interface Seen<T extends Changing> {
  /** @returns whether this state of the record is a new one; from now on it is not. */
  note(record: T): boolean;
  /** Forgets what was changed before: it is not asked for any more. @param since ISO instant */
  forgetBefore(since: string): void;
  /** What was noted and not forgotten, each as it was last. */
  records(): Iterable<T>;
}

/** @param versionOf differs for any two states of a record */
export function openSeen<T extends Changing>(versionOf: (record: T) => string): Seen<T> {
  const seen = new Map<string, T>();
  return {
    note(record) {
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
