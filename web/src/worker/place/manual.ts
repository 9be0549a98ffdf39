export interface Typed {
  latitude: string;
  longitude: string;
}

export type TypedPlace =
  | { kind: 'none' }
  | { kind: 'place'; latitude: number; longitude: number }
  | { kind: 'wrong'; field: keyof Typed; why: 'missing' | 'number' | 'range' | 'minus' };

/** As people write it: a point or a comma, a degree sign, spaces. */
function parse(text: string): number {
  const clean = text.trim().replace(',', '.').replace(/°$/, '');
  return /^[-−]?\d+(\.\d+)?$/.test(clean) ? Number(clean.replace('−', '-')) : NaN;
}

/** What was typed as a place. Nothing is a place as well as an answer. */
export function readTyped({ latitude, longitude }: Typed): TypedPlace {
  if (!latitude.trim() && !longitude.trim()) return { kind: 'none' };
  for (const [field, text, limit] of [
    ['latitude', latitude, 90],
    ['longitude', longitude, 180],
  ] as const) {
    if (!text.trim()) return { kind: 'wrong', field, why: 'missing' };
    const value = parse(text);
    if (Number.isNaN(value)) return { kind: 'wrong', field, why: 'number' };
    if (Math.abs(value) > limit) return { kind: 'wrong', field, why: 'range' };
  }
  // All of Colombia is west of Greenwich; the sign is what is forgotten.
  if (parse(longitude) > 0) return { kind: 'wrong', field: 'longitude', why: 'minus' };
  return { kind: 'place', latitude: parse(latitude), longitude: parse(longitude) };
}

/** "4.637214, -75.487031" as a map copies it, in one field; undefined when it is no pair. */
export function readPair(text: string): Typed | undefined {
  const parts = /^\s*([-−]?\d+\.\d+)\s*[,;\s]\s*([-−]?\d+\.\d+)\s*$/.exec(text);
  return parts ? { latitude: parts[1]!, longitude: parts[2]! } : undefined;
}
