interface Place {
  location: string;
  coordinates?: { latitude: number; longitude: number } | undefined;
}

/** Directions in the phone's map, to the coordinates if known, else to the place name. */
export function directionsAddress({ location, coordinates }: Place): string | undefined {
  const goal = coordinates ? `${coordinates.latitude},${coordinates.longitude}` : location.trim();
  if (!goal) return undefined;
  const query = new URLSearchParams({ api: '1', destination: coordinates ? goal : `${goal}, Colombia` });
  return `https://www.google.com/maps/dir/?${query.toString()}`;
}
