import type { Coordinates } from './fields.ts';

/** Roughly Colombia, with San Andrés and Providencia. */
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

/** Why a place can hardly be one where trees stand, and which half shows it; nothing for a place in Colombia. */
export function placeFault({ latitude, longitude }: Coordinates): PlaceFault | undefined {
  // The equator crosses Colombia, but a zero without decimals is what a phone says when it does not know.
  if (latitude === 0) return { field: 'latitude', why: 'zero' };
  if (longitude === 0) return { field: 'longitude', why: 'zero' };
  if (isLatitude(latitude) && isLongitude(longitude)) return undefined;
  // The minus may be forgotten as well.
  if (isLatitude(longitude) && isLongitude(-Math.abs(latitude))) return { field: 'latitude', why: 'swapped' };
  if (isLatitude(latitude) && isLongitude(-longitude)) return { field: 'longitude', why: 'minus' };
  return { field: isLatitude(latitude) ? 'longitude' : 'latitude', why: 'outside' };
}
