export interface Coordinates {
  latitude: number;
  longitude: number;
}

/** Product spec section 7: a satellite view at zoom 15. */
const ZOOM = 15;

const point = ({ latitude, longitude }: Coordinates): string => `${latitude},${longitude}`;

/** The embedded satellite view. */
export function embedAddress(coordinates: Coordinates): string {
  const query = new URLSearchParams({ q: point(coordinates), t: 'k', z: String(ZOOM), output: 'embed' });
  return `https://maps.google.com/maps?${query.toString()}`;
}

/** The same point in the reader's own maps. */
export const mapAddress = (coordinates: Coordinates): string =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(point(coordinates))}`;

/** Coordinates are not localised: a point and six decimals, as every map takes them. */
export function coordinatesText({ latitude, longitude }: Coordinates): string {
  return `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;
}
