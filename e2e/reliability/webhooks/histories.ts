/** Indexes of the delivered events, in order of arrival. An index may repeat or be missing. */
export type History = readonly number[];

const MOST_TIMES = 2;

/**
 * All ways in which so many events can arrive, each twice at most: every order, with repeats and losses. When there are
 * more than `limit`, those in which each comes exactly once, as far as they are not more than half, and evenly chosen others.
 */
export function histories(events: number, limit: number): History[] {
  const all = everyHistory(events);
  if (all.length <= limit) return all;
  const plain = all.filter((history) => isPlain(history, events));
  const others = all.filter((history) => !isPlain(history, events));
  const plainOnes = evenly(plain, Math.min(plain.length, Math.ceil(limit / 2)));
  return [...plainOnes, ...evenly(others, limit - plainOnes.length)];
}

/** Picks `count` evenly, starting with the first. */
const evenly = <T>(all: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_none, at) => all[Math.floor((at * all.length) / count)]!);

const isPlain = (history: History, events: number) =>
  history.length === events && new Set(history).size === events;

/** Whether something never arrived. */
export const isLossy = (history: History, events: number): boolean => new Set(history).size < events;

function everyHistory(events: number): History[] {
  const found: History[] = [];
  const left = Array.from({ length: events }, () => MOST_TIMES);
  const now: number[] = [];
  const go = () => {
    found.push([...now]);
    for (let event = 0; event < events; event++) {
      if (left[event] === 0) continue;
      left[event]!--;
      now.push(event);
      go();
      now.pop();
      left[event]!++;
    }
  };
  go();
  return found;
}
