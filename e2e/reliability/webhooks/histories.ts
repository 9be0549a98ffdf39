/** Indexes of events in order of arrival. An index may repeat or be missing. */
export type History = readonly number[];

const MOST_TIMES = 2;

/**
 * Every order in which events can arrive, each twice at most, with losses. If there are more than `limit`, up to half of the result are
 * histories in which each event comes once, and the others are chosen evenly.
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
