/** How far the handling of one partition has come, when its messages are not handled in their order. */
export interface Progress {
  /** @returns false when it was taken before: a group that gathers anew reads again what is not committed yet. */
  take(offset: number): boolean;
  done(offset: number): void;
  /** Taken and not done. */
  pending(): number;
  /** Everything before it is done. */
  reached(): number;
  /** Where to go on after a crash; undefined when that is committed already. */
  uncommitted(): number | undefined;
  committed(offset: number): void;
  /** Before everything this progress knows of: the partition was set back, its offsets mean other messages now. */
  precedes(offset: number): boolean;
}

export function openProgress(first: number): Progress {
  const undone = new Set<number>();
  let next = first;
  let committed = first;
  // A Set keeps the order of insertion, and offsets come in theirs.
  const reached = () => undone.values().next().value ?? next;
  return {
    take(offset) {
      if (offset < next) return false;
      undone.add(offset);
      next = offset + 1;
      return true;
    },
    done: (offset) => void undone.delete(offset),
    pending: () => undone.size,
    reached,
    uncommitted: () => (reached() > committed ? reached() : undefined),
    committed: (offset) => void (committed = Math.max(committed, offset)),
    precedes: (offset) => offset < committed,
  };
}
