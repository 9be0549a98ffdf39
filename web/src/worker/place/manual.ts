import { placeFault, type PlaceFault } from '@arboleda/contracts/colombia.ts';
import { readDegrees } from '../../i18n/typed-numbers.ts';

export interface Typed {
  latitude: string;
  longitude: string;
}

export type TypedPlace =
  | { kind: 'none' }
  | { kind: 'place'; latitude: number; longitude: number }
  | { kind: 'wrong'; field: keyof Typed; why: 'missing' | 'number' | 'range' | PlaceFault['why'] };

/** Parses typed coordinates; both halves empty is a valid answer. */
export function readTyped({ latitude, longitude }: Typed): TypedPlace {
  if (!latitude.trim() && !longitude.trim()) return { kind: 'none' };
  for (const [field, text, limit] of [
    ['latitude', latitude, 90],
    ['longitude', longitude, 180],
  ] as const) {
    if (!text.trim()) return { kind: 'wrong', field, why: 'missing' };
    const value = readDegrees(text);
    if (value === undefined) return { kind: 'wrong', field, why: 'number' };
    if (Math.abs(value) > limit) return { kind: 'wrong', field, why: 'range' };
  }
  const place = { latitude: readDegrees(latitude)!, longitude: readDegrees(longitude)! };
  const fault = placeFault(place);
  return fault ? { kind: 'wrong', ...fault } : { kind: 'place', ...place };
}
