export interface Coordinates {
  latitude: number;
  longitude: number;
}

/** Satellite view at zoom 15: product spec section 7. */
const ZOOM = 15;

const point = ({ latitude, longitude }: Coordinates): string => `${latitude},${longitude}`;

export function embedAddress(coordinates: Coordinates): string {
  const query = new URLSearchParams({ q: point(coordinates), t: 'k', z: String(ZOOM), output: 'embed' });
  return `https://maps.google.com/maps?${query.toString()}`;
}

export const mapAddress = (coordinates: Coordinates): string =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(point(coordinates))}`;

/** Not localized: a decimal point and six decimals, as maps expect. */
export function coordinatesText({ latitude, longitude }: Coordinates): string {
  return `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;
}
