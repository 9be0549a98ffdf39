import type { Coordinates } from './fields.ts';

/** Bounding box of Colombia with San Andrés and Providencia. */
const SOUTH = -4.5;
const NORTH = 13.6;
const WEST = -82;
const EAST = -66.5;

export interface PlaceFault {
  field: keyof Coordinates;
  why: 'zero' | 'swapped' | 'minus' | 'outside';
}

const isLatitude = (degrees: number): boolean => degrees >= SOUTH && degrees <= NORTH;
const isLongitude = (degrees: number): boolean => degrees >= WEST && degrees <= EAST;

/** Reason why coordinates are probably wrong, and the field that shows it; undefined inside Colombia. */
export function placeFault({ latitude, longitude }: Coordinates): PlaceFault | undefined {
  // The equator crosses Colombia, but phones report an exact zero when they have no fix.
  if (latitude === 0) return { field: 'latitude', why: 'zero' };
  if (longitude === 0) return { field: 'longitude', why: 'zero' };
  if (isLatitude(latitude) && isLongitude(longitude)) return undefined;
  // People also forget the minus sign.
  if (isLatitude(longitude) && isLongitude(-Math.abs(latitude))) return { field: 'latitude', why: 'swapped' };
  if (isLatitude(latitude) && isLongitude(-longitude)) return { field: 'longitude', why: 'minus' };
  return { field: isLatitude(latitude) ? 'longitude' : 'latitude', why: 'outside' };
}
