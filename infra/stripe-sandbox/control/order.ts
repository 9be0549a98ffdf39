import type { Delivery } from '../records.ts';

export interface Release {
  /** Ids of events to release, the rest stays held; all when absent. */
  events?: string[] | undefined;
  order?: 'created' | 'reversed' | 'shuffled' | undefined;
}

/** The held deliveries to release, in order. Named events keep the given order. */
export function releaseOrder(
  held: Delivery[],
  { events, order = 'created' }: Release,
  random: () => number = Math.random,
): Delivery[] {
  const chosen = events ? events.flatMap((id) => held.filter(({ event }) => event === id)) : [...held];
  if (order === 'reversed') return chosen.reverse();
  if (order === 'shuffled') {
    return chosen
      .map((delivery) => ({ delivery, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ delivery }) => delivery);
  }
  return chosen;
}
