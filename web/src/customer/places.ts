import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../api/client.ts';
import type { OpenSession } from '../portal/Gate.tsx';
import { inFrame } from './colombia-outline.ts';

export type Place = Answer<'GET /api/customers/orders/places'>['places'][number];

/** Refreshed with the orders, whose key begins in the same way. */
export const usePlaces = ({ call, person }: OpenSession<'customer'>, enabled: boolean) =>
  useQuery({
    queryKey: ['customer', 'orders', person.id, 'places'],
    enabled,
    queryFn: async ({ signal }) => (await call('GET /api/customers/orders/places', { signal })).places,
  });

export interface PlaceGroup {
  x: number;
  y: number;
  places: Place[];
}

/** Pins closer than this would cover each other, units of the drawing. */
const APART = 32;

/** Groups orders whose pins would cover each other, in the order in which they come. */
export function groupsOf(places: readonly Place[]): PlaceGroup[] {
  const groups: PlaceGroup[] = [];
  for (const place of places) {
    const { x, y } = inFrame(place.coordinates);
    const near = groups.find((group) => Math.hypot(group.x - x, group.y - y) < APART);
    if (near) near.places.push(place);
    else groups.push({ x, y, places: [place] });
  }
  return groups;
}
