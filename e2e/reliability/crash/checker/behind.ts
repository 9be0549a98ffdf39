/** The end of each partition, or what a group has handled of it: the next offset. */
export type Offsets = ReadonlyMap<string, number>;

interface Look {
  at: number;
  ends: Offsets;
  handled: Offsets;
}

/**
 * Since when a group is behind. Brokers tell how far it is, and never how old what it has not handled is: so the ends of its
 * partitions are remembered, and a look is over when all that was there at the time is handled. That it is never level with the
 * ends means nothing while more keeps coming.
 * @returns what takes one look after another and tells since when, in the time of the looks; undefined when nothing waits
 */
export function openBehind(): (look: Look) => number | undefined {
  const open: Omit<Look, 'handled'>[] = [];
  /** When the last look was that is over: what waits came after it. */
  let overAt: number | undefined;
  return ({ at, ends, handled }) => {
    open.push({ at, ends });
    while (open[0] && isOver(open[0].ends, handled)) overAt = open.shift()!.at;
    return open[0] && (overAt ?? open[0].at);
  };
}

/** A partition of which nothing was ever handled says nothing: its first event may be another group's. */
const isOver = (ends: Offsets, handled: Offsets): boolean =>
  [...ends].every(([partition, end]) => (handled.get(partition) ?? end) >= end);
