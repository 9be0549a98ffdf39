import { expect, test } from '@jest/globals';
import { decideEdit } from '../decisions/edit.ts';
import { decidePayment, decideSubmission } from '../decisions/creation.ts';
import { decidePhoto } from '../decisions/photos.ts';
import { decideStep } from '../decisions/step.ts';
import { assigned, minute, newOrderId, payment, photo, planted } from '../test/builders.ts';
import { approved, LUCIA, submitted } from '../test/news.ts';
import { fromStored, type StoredOrder, toStored } from './stored.ts';

const orderId = newOrderId();
const order = decidePayment(undefined, payment({ orderId }).data)!.document;
const at = minute(1000);

test('an order is kept with what it is found by, and read without it', () => {
  const kept = toStored(undefined, order, at);
  expect(kept).toMatchObject({
    emailKey: 'maria@mail.test',
    nameKey: 'maria jose perez',
    version: 1,
    updatedAt: at,
  });
  expect(kept.words).toContain('maria@mail.test');
  expect(kept).not.toHaveProperty('unpaid');
  expect(fromStored(kept)).toEqual({ ...order, updatedAt: at });
});

test('an order whose money nobody has seen is marked until it is there', () => {
  const announced = decideSubmission(undefined, submitted(orderId).data)!.document;
  expect(toStored(undefined, announced, at)).toHaveProperty('unpaid', true);
  const paid = decidePayment(announced, approved(orderId).data)!.document;
  expect(toStored(announced, paid, at)).not.toHaveProperty('unpaid');
});

test('the version grows when what may be edited has changed, by whomever, and with nothing else', () => {
  const inHand = decideStep(order, assigned(orderId))!.document;
  expect(toStored(order, inHand, at).version).toBe(1);
  expect(toStored(inHand, decidePhoto(inHand, photo(orderId).data)!.document, at).version).toBe(1);
  expect(toStored(inHand, decideStep(inHand, planted(orderId))!.document, at).version).toBe(2);
  const edited = decideEdit(order, { trees: 6 }, { by: LUCIA, at })!.document;
  expect(toStored(order, edited, at).version).toBe(2);
});

test('an order of a former version is read with what it lacks', () => {
  const { refunds, refundedMinor, isFullyRefunded, disputes, growth, internalNotes, version, ...rest } =
    order;
  const { updatedAt: _updatedAt, ...former } = rest;
  expect(fromStored(former as unknown as StoredOrder)).toEqual({
    ...former,
    ...{ refunds, refundedMinor, isFullyRefunded, disputes, growth, internalNotes, version },
    updatedAt: order.createdAt,
  });
});
