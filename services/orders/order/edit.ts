import type { Change } from '@arboleda/chassis/records.ts';
import type { Currency } from '@arboleda/contracts/countries.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor, Coordinates } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { InternalNote, Order } from './order.ts';
import type { FieldChange } from './timeline.ts';

/** An admin's changes: absent fields stay, null or empty ones are cleared. */
export interface Edit {
  trees?: number | undefined;
  amount?: number | undefined;
  currency?: Currency | undefined;
  customerEmail?: string | undefined;
  customerName?: string | undefined;
  location?: string | null | undefined;
  coordinates?: Coordinates | null | undefined;
  notes?: string | null | undefined;
}

/**
 * @param ifVersion the version that the admin read, if known
 * @throws Problem `precondition-failed` when it is outdated
 */
export function decideEdit(
  current: Order,
  edit: Edit,
  options: { by: Actor; at: string; ifVersion?: string | undefined },
): Change<Order> | undefined {
  const { by, at, ifVersion } = options;
  if (ifVersion !== undefined && ifVersion !== String(current.version))
    throw new Problem('precondition-failed');
  const { trees, amount, currency, customerEmail, customerName, location, coordinates, notes } = edit;
  const edited: Order = {
    ...current,
    trees: trees ?? current.trees,
    amountMinor: amount ?? current.amountMinor,
    currency: currency ?? current.currency,
    customer: {
      ...current.customer,
      name: customerName ?? current.customer.name,
      email: customerEmail ?? current.customer.email,
    },
    location: location === undefined ? current.location : location || undefined,
    coordinates: coordinates === undefined ? current.coordinates : (coordinates ?? undefined),
    notes: notes === undefined ? current.notes : notes || undefined,
  };
  const changes = differences(current, edited);
  if (changes.length === 0) return undefined;
  return {
    record: { ...edited, timeline: [...current.timeline, { at, type: 'edited', by, changes }] },
    events: [updated(edited, { changed: changes.map(({ field }) => field), by, at })],
  };
}

/** Publishes the fields that other services copy. */
export function updated(
  order: Order,
  about: { changed: string[]; by: Actor; at: string },
): NewEvent<'order.updated'> {
  const {
    id: orderId,
    trees,
    amountMinor,
    currency,
    customer,
    language,
    location,
    coordinates,
    notes,
  } = order;
  return {
    type: 'order.updated',
    data: {
      orderId,
      trees,
      amountMinor,
      currency,
      customer,
      language,
      ...about,
      ...(location !== undefined && { location }),
      ...(coordinates && { coordinates }),
      ...(notes !== undefined && { notes }),
    },
  };
}

const FIELDS: Record<string, (order: Order) => FieldChange['from']> = {
  trees: (order) => order.trees,
  amountMinor: (order) => order.amountMinor,
  currency: (order) => order.currency,
  'customer.email': (order) => order.customer.email,
  'customer.name': (order) => order.customer.name,
  location: (order) => order.location,
  coordinates: (order) => order.coordinates,
  notes: (order) => order.notes,
};

function differences(before: Order, after: Order): FieldChange[] {
  return Object.entries(FIELDS).flatMap(([field, read]) => {
    const [from, to] = [read(before), read(after)];
    if (asText(from) === asText(to)) return [];
    return [{ field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
  });
}

const asText = (value: FieldChange['from']): string =>
  typeof value === 'object' ? `${value.latitude} ${value.longitude}` : JSON.stringify([value]);

/** Ignores a note with a known id. */
export function decideNote(current: Order, note: InternalNote): Change<Order> | undefined {
  if (current.internalNotes.some((one) => one.noteId === note.noteId)) return undefined;
  return {
    record: {
      ...current,
      internalNotes: [...current.internalNotes, note],
      timeline: [...current.timeline, { at: note.at, type: 'noted', by: note.by }],
    },
  };
}
