import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { standingOf } from '../order/order.ts';
import { isFlagged, isHeld, isStopped, type Order } from '../order/order.ts';
import { withReactions } from '../reactions.ts';
import { assigned, minute, newOrderId, payment, planted } from '../test/builders.ts';
import { approved, giftTo, LUCIA, refunded, submitted } from '../test/event-builders.ts';
import { decideRetraction, decideWithdrawal } from '../withdrawal/withdrawal.ts';
import { decidePayment, decideSubmission } from '../order/creation.ts';
import { decideRefund } from './money.ts';
import { decideReturnSettled, decideReturnSuspected } from './returns.ts';
import { decideStatus } from '../order/status.ts';
import { decideStep } from '../order/step.ts';

const orderId = newOrderId();
const paid = (): Order => decidePayment(undefined, approved(orderId).data)!.record;
const taken = (): Order => decideStep(paid(), assigned(orderId))!.record;

const suspicion = (debitId = 'debit-1'): EventData<'payment.return_suspected'> => ({
  orderId,
  paymentId: 'payment-1',
  debitId,
  amountMinor: 8_230_000,
  currency: 'COP',
  day: '2026-11-23',
  at: minute(30),
});
const decision = (wasReturned = false, debitId = 'debit-1'): EventData<'payment.return_settled'> => ({
  orderId,
  debitId,
  wasReturned,
  by: LUCIA,
  at: minute(80),
});
const held = (order = taken()): Order => decideReturnSuspected(order, suspicion())!.record;

describe('an order whose money the bank may have taken back', () => {
  test('loses its worker, and nobody plants it', () => {
    const { record, events } = decideReturnSuspected(taken(), suspicion())!;
    expect(record.progress).toEqual({ status: 'pending' });
    expect([isHeld(record), isStopped(record), isFlagged(record)]).toEqual([true, true, true]);
    expect(standingOf(record)).toBe('withdrawn');
    expect(record.timeline.at(-1)).toMatchObject({
      type: 'return_suspected',
      from: 'assigned',
      to: 'pending',
      amountMinor: 8_230_000,
    });
    expect(events).toMatchObject([
      { type: 'order.status_changed', data: { to: 'pending', held: true, heldFor: 'return' } },
    ]);
    expect(decideStep(record, assigned(orderId, { statusRevision: 2 }))!.record.progress.status).toBe(
      'pending',
    );
  });

  test('is not moved by an admin before the decision', () => {
    let refused: string | undefined;
    try {
      decideStatus(held(), { status: 'planted' }, LUCIA, minute(40));
    } catch (error) {
      refused = (error as Problem).type;
    }
    expect(refused).toBe('return-open');
  });

  test('is suspected once for each debit', () => {
    expect(decideReturnSuspected(held(), suspicion())).toBeUndefined();
    const twice = decideReturnSuspected(held(), suspicion('debit-2'))!;
    expect(twice.events).toBeUndefined();
    const one = decideReturnSettled(twice.record, decision())!.record;
    expect(isHeld(one)).toBe(true);
    expect(isHeld(decideReturnSettled(one, decision(false, 'debit-2'))!.record)).toBe(false);
  });

  test('waits for a worker again when the debit is something else', () => {
    const { record, events } = decideReturnSettled(held(), decision())!;
    expect([isHeld(record), isFlagged(record)]).toEqual([false, false]);
    expect(record.timeline.at(-1)).toMatchObject({ type: 'return_dismissed', by: LUCIA });
    const [event] = events!;
    expect(event).toMatchObject({ type: 'order.status_changed', data: { from: 'pending', to: 'pending' } });
    expect(event!.data).not.toHaveProperty('held');
    expect(decideReturnSettled(record, decision())).toBeUndefined();
  });

  test('is withdrawn when the money is gone, whatever comes first', () => {
    const refundFirst = decideReturnSettled(
      decideRefund(held(), refunded(orderId).data)!.record,
      decision(true),
    )!.record;
    const decisionFirst = decideRefund(
      decideReturnSettled(held(), decision(true))!.record,
      refunded(orderId).data,
    )!.record;
    for (const order of [refundFirst, decisionFirst]) {
      expect([order.isGivenBack, isHeld(order), isStopped(order)]).toEqual([true, false, true]);
      expect(order.timeline.map(({ type }) => type)).toContain('return_confirmed');
    }
  });

  test('stays planted, and admins see the debit', () => {
    const standing = decideStep(taken(), planted(orderId, { statusRevision: 1 }))!.record;
    const { record, events } = decideReturnSuspected(standing, suspicion())!;
    expect([record.progress.status, isHeld(record), isFlagged(record)]).toEqual(['planted', false, true]);
    expect(events).toBeUndefined();
  });

  test('waits for both when its donor withdraws too', () => {
    const both = decideWithdrawal(held(paid()), { at: minute(40) })!;
    expect(both.events![0]!.data).toMatchObject({ held: true });
    expect(both.events![0]!.data).not.toHaveProperty('heldFor');
    const kept = decideRetraction(both.record, { at: minute(50) })!;
    expect(kept.events![0]).toMatchObject({ data: { held: true, heldFor: 'return' } });
  });

  test('is not known before its approval, nor a decision before its suspicion', () => {
    const waiting = decideSubmission(undefined, submitted(orderId).data)!.record;
    expect(() => decideReturnSuspected(waiting, suspicion())).toThrow('has not been created yet');
    expect(() => decideReturnSettled(paid(), decision())).toThrow('has not come yet');
  });

  test('sends no gift until the decision', async () => {
    let order: Order | undefined;
    const records = withReactions(
      {
        get: async () => order,
        change: async (_id, decide) => {
          const change = decide(order);
          order = change?.record ?? order;
          events.push(...(change?.events ?? []).map(({ type }) => type));
          return order;
        },
      },
      () => new Date(minute(90)),
    );
    const events: string[] = [];
    const gift = giftTo();
    await records.change(orderId, () =>
      decidePayment(undefined, { ...payment({ orderId, gift }).data, giftToken: 'token' }),
    );
    await records.change(orderId, (current) => decideReturnSuspected(current, suspicion()));
    await records.change(orderId, (current) => decideReturnSettled(current, decision()));
    expect(events.filter((type) => type.startsWith('gift.'))).toEqual([
      'gift.scheduled',
      'gift.cancelled',
      'gift.scheduled',
    ]);
  });
});
