import type { Change } from '@arboleda/chassis/ports/documents.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Assignment } from './assignment.ts';

/**
 * Takes over what an order says of its trees, its customer and its place. Older news than what is known changes
 * nothing; the place is taken over only when it is what was changed, as a worker may have said another since.
 * @param sequence the order's version
 * @throws Error when the order has not arrived yet: to be tried again.
 */
export function decideUpdate(
  current: Assignment | undefined,
  order: EventData<'order.updated'>,
  sequence: number,
): Change<Assignment> | undefined {
  if (!current) throw new Error(`no assignment of order ${order.orderId} yet`);
  const { copies } = current;
  const isNews = sequence > copies.sequence;
  const changed = (field: string) =>
    order.changed.some((name) => name === field || name.startsWith(`${field}.`));
  const isPlaceNews =
    sequence > copies.placeSequence && ['location', 'coordinates', 'notes'].some((field) => changed(field));
  if (!isNews && !isPlaceNews) return undefined;

  const { name, email } = order.customer;
  return {
    document: {
      ...current,
      ...(isNews && { trees: order.trees, customer: { name, email } }),
      ...(isPlaceNews && {
        ...(changed('location') && { location: order.location, isPlacedByAdmin: true }),
        ...(changed('coordinates') && { coordinates: order.coordinates, isPlacedByAdmin: true }),
        ...(changed('notes') && { notes: order.notes }),
      }),
      copies: {
        sequence: isNews ? sequence : copies.sequence,
        placeSequence: isPlaceNews ? sequence : copies.placeSequence,
      },
    },
  };
}
