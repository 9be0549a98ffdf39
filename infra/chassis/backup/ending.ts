/** Numbers by kind: documents of each collection, objects, messages. */
export type Counts = Record<string, number>;

/** The last line of every dump. A dump without it is incomplete. */
export const toEnding = (counts: Counts): string => JSON.stringify({ end: counts });

/** @returns undefined for any other line */
export const endingOf = (line: object): Counts | undefined => (line as { end?: Counts }).end;

/** @throws when the last line is missing or does not match the counts */
export function checkEnding(what: string, ending: Counts | undefined, counted: Counts): void {
  if (!ending) throw new Error(`${what} break off: their last line is missing`);
  for (const kind of new Set([...Object.keys(ending), ...Object.keys(counted)])) {
    const [there = 0, came = 0] = [ending[kind], counted[kind]];
    if (there !== came) throw new Error(`${what} are not whole: ${came} of ${there} ${kind} came`);
  }
}
