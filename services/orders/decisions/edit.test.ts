import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { minute, newOrderId, payment } from '../test/builders.ts';
import { LUCIA } from '../test/news.ts';
import { decidePayment } from './creation.ts';
import { decideEdit, decideNote, type Edit } from './edit.ts';

const orderId = newOrderId();
const order = { ...decidePayment(undefined, payment({ orderId }).data)!.document, version: 3 };
const at = minute(300);
const edit = (wanted: Edit, ifVersion?: string, current = order) =>
  decideEdit(current, wanted, { by: LUCIA, at, ifVersion });

describe('an admin’s edit', () => {
  test('changes what it names, and writes down what each field held before and after', () => {
    const { document, events } = edit({ trees: 6, customerName: 'María Pérez', notes: 'Steep' })!;
    expect(document).toMatchObject({ trees: 6, notes: 'Steep', amountMinor: 8_230_000 });
    expect(document.customer).toEqual({ ...order.customer, name: 'María Pérez' });
    expect(document.timeline.at(-1)).toEqual({
      ...{ at, type: 'edited', by: LUCIA },
      changes: [
        { field: 'trees', from: 5, to: 6 },
        { field: 'customer.name', from: 'María José Pérez', to: 'María Pérez' },
        { field: 'notes', to: 'Steep' },
      ],
    });
    expect(events).toEqual([
      {
        type: 'order.updated',
        data: {
          ...{ orderId, trees: 6, amountMinor: 8_230_000, currency: 'COP', language: 'es', notes: 'Steep' },
          ...{ customer: document.customer, changed: ['trees', 'customer.name', 'notes'], by: LUCIA, at },
        },
      },
    ]);
  });

  test('covers every field of the form', () => {
    const coordinates = { latitude: 4.637, longitude: -75.57 };
    const { document, events } = edit({
      ...{ amount: 100, currency: 'USD', customerEmail: 'maria@new.test', location: 'Salento', coordinates },
    })!;
    expect(document).toMatchObject({ amountMinor: 100, currency: 'USD', location: 'Salento', coordinates });
    expect(document.customer.email).toBe('maria@new.test');
    const changed = ['amountMinor', 'currency', 'customer.email', 'location', 'coordinates'];
    expect(events).toMatchObject([{ data: { changed, location: 'Salento', coordinates } }]);
  });

  test('empties what is empty or null', () => {
    const full = {
      ...order,
      location: 'Salento',
      notes: 'Steep',
      coordinates: { latitude: 1, longitude: 2 },
    };
    const { document } = edit({ location: '', notes: null, coordinates: null }, undefined, full)!;
    expect([document.location, document.notes, document.coordinates]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('that changes nothing is no edit', () => {
    expect(edit({})).toBeUndefined();
    expect(edit({ trees: 5, customerEmail: 'Maria@mail.test', notes: '' })).toBeUndefined();
    const placed = { ...order, coordinates: { latitude: 1, longitude: 2 } };
    expect(edit({ coordinates: { longitude: 2, latitude: 1 } }, undefined, placed)).toBeUndefined();
  });

  test('of a version that is no longer is refused, of the present one or any it is not', () => {
    expect(() => edit({ trees: 6 }, '2')).toThrow(Problem);
    expect(() => edit({ trees: 6 }, '2')).toThrow('precondition-failed');
    expect(() => edit({ trees: 6 }, 'damaged')).toThrow('precondition-failed');
    expect(edit({ trees: 6 }, '3')).toBeDefined();
  });
});

test('a note is kept with who wrote it and when; sent again it is one', () => {
  const note = { noteId: 'note-1', text: 'Called her', by: LUCIA, at };
  const { document, events } = decideNote(order, note)!;
  expect(events).toBeUndefined();
  expect(document.internalNotes).toEqual([note]);
  expect(document.timeline.at(-1)).toEqual({ at, type: 'noted', by: LUCIA });
  expect(decideNote(document, { ...note, at: minute(301) })).toBeUndefined();
});
