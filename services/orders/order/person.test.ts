import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { describe, expect, test } from '@jest/globals';
import { minute, newOrderId } from '../test/builders.ts';
import { approved, growthBought, LUCIA, submitted } from '../test/event-builders.ts';
import { wordsOf } from './search.ts';
import { decidePayment, decideSubmission } from './creation.ts';
import { decideEdit } from './edit.ts';
import { decideGrowthPurchase } from '../growth/growth.ts';
import { decideAddress, decideErasure } from './person.ts';

const orderId = newOrderId();

describe('person', () => {
  const announced = decideSubmission(undefined, submitted(orderId).data)!.record;

  const paid = decidePayment(announced, approved(orderId).data)!.record;

  const grown = decideGrowthPurchase(paid, growthBought(orderId).data)!.record;

  const edited = decideEdit(
    grown,
    { customerName: 'Mary Perez', trees: 6 },
    { by: LUCIA, at: minute(5) },
  )!.record;

  const by = { role: 'customer' as const, id: 'account-1' };

  const at = minute(400);

  test('an erasure keeps the purchase and removes the customer, also from history and evidence', () => {
    const details: Record<string, string> = { words: 'For my grandmother María' };
    const { record, events } = decideErasure({ ...edited, details }, { email: 'MARIA@mail.test', by, at })!;
    expect(JSON.stringify(record)).not.toMatch(/Mar[ií]a|Mary|P[eé]rez|@mail|300 1234567/);
    expect(record.customer).toEqual(ERASED_CUSTOMER);
    expect(record).toMatchObject({ trees: 6, transactionId: 'transfer-1' });
    expect(record.timeline.map(({ type }) => type)).toEqual([
      ...edited.timeline.map(({ type }) => type),
      'erased',
    ]);
    expect(record.timeline.find(({ type }) => type === 'edited')).toMatchObject({
      by: LUCIA,
      changes: [
        { field: 'trees', from: 5, to: 6 },
        { field: 'customer.name', from: '—', to: '—' },
      ],
    });
    expect(events).toMatchObject([
      {
        type: 'order.updated',
        data: { orderId, customer: ERASED_CUSTOMER, changed: ['customer.name', 'customer.email'], by, at },
      },
    ]);
  });

  test('an erasure takes the name off the certificate and keeps the decision on the transfer', () => {
    const certificate = { name: 'María José Pérez', language: 'es' as const, versions: [] };
    const { record } = decideErasure({ ...paid, certificate }, { email: 'maria@mail.test', by, at })!;
    expect(record.certificate).toEqual({ ...certificate, name: null });
    expect(record.manualPayment).toEqual({
      ...paid.manualPayment,
      evidenceFiles: [],
      referenceNumber: undefined,
    });
    expect(record.timeline[0]!.by).toEqual({ role: 'customer', name: ERASED_CUSTOMER.name });
    expect(decideErasure(paid, { email: 'maria@mail.test', by, at })!.record).not.toHaveProperty(
      'certificate',
    );
  });

  test('an erasure takes the typed reference from an approved transfer, wherever it stands', () => {
    const referenceNumber = 'Maria paga';
    const manualPayment = { ...paid.manualPayment!, referenceNumber };
    const typed = { ...paid, transactionId: referenceNumber, manualPayment };
    const erased = decideErasure(typed, { email: 'maria@mail.test', by, at })!.record;
    expect(JSON.stringify([erased, wordsOf(erased)])).not.toMatch(/maria/i);
    expect(erased.transactionId).toBe(paid.paymentId);
  });

  test('a new address of the account applies to its orders, and is published', () => {
    const { record, events } = decideAddress(paid, {
      from: 'maria@mail.test',
      to: 'maria@new.test',
      by,
      at,
    })!;
    expect(record.customer).toEqual({ ...paid.customer, email: 'maria@new.test' });
    expect(record.timeline.at(-1)).toEqual({ at, type: 'address_changed', by });
    expect(events).toMatchObject([
      {
        type: 'order.updated',
        data: { changed: ['customer.email'], customer: { email: 'maria@new.test' }, at },
      },
    ]);
  });

  test('a new address is newer than an earlier change that arrives later', () => {
    for (const updatedAt of [at, '2100-01-01T00:00:00.000Z']) {
      const changed = { ...paid, updatedAt };
      const { events } = decideAddress(changed, { from: 'maria@mail.test', to: 'maria@new.test', by, at })!;
      expect(events).toMatchObject([{ data: { at: updatedAt.replace('000Z', '001Z') } }]);
    }
  });

  test('a change of an account skips orders of others, and orders already changed', () => {
    expect(decideErasure(paid, { email: 'other@mail.test', by, at })).toBeUndefined();
    expect(decideErasure(undefined, { email: 'maria@mail.test', by, at })).toBeUndefined();
    expect(decideAddress(paid, { from: 'other@mail.test', to: 'x@new.test', by, at })).toBeUndefined();
    const erased = decideErasure(paid, { email: 'maria@mail.test', by, at })!.record;
    expect(decideErasure(erased, { email: 'maria@mail.test', by, at })).toBeUndefined();
  });

  test('a change of an account skips later buyers under its address, even when repeated', () => {
    const before = minute(-100);
    expect(decideErasure(paid, { email: 'maria@mail.test', by, at: before })).toBeUndefined();
    expect(
      decideAddress(paid, { from: 'maria@mail.test', to: 'x@new.test', by, at: before }),
    ).toBeUndefined();
    expect(decideErasure(paid, { email: 'maria@mail.test', by, at: paid.createdAt })).toBeDefined();
  });
});
