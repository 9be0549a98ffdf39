import { describe, expect, test } from '@jest/globals';
import { decidePayment } from './creation.ts';
import { decideGrowthPurchase } from '../growth/growth.ts';
import { decideDispute } from '../money/money.ts';
import { decidePhoto, decideVisibility } from './photos.ts';
import { decideStep } from './step.ts';
import { isDisputed, isFlagged, regionOf } from './order.ts';
import { isPublicEntry, type TimelineEntry, type TimelineType } from './timeline.ts';
import { assigned, newOrderId, payment, photo } from '../test/builders.ts';
import { disputed, growthBought, hidden, restored } from '../test/event-builders.ts';

const orderId = newOrderId();
const pending = decidePayment(undefined, payment({ orderId, region: 'Huila' }).data)!.record;

test('an order is in the region of its worker, or the one its buyer chose', () => {
  expect(regionOf(pending)).toBe('Huila');
  expect(regionOf(decideStep(pending, assigned(orderId))!.record)).toBe('Quindío');
});

describe('an admin is to look at', () => {
  const withPhoto = (changes = {}) => decidePhoto(pending, photo(orderId, changes).data)!.record;

  test('a flagged photo, until an admin decides on it', () => {
    expect([isFlagged(pending), isFlagged(withPhoto())]).toEqual([false, false]);
    const flagged = withPhoto({ flags: ['far-from-place'] });
    const two = decidePhoto(flagged, photo(orderId, { photoId: 'photo-2' }).data)!.record;
    expect([isFlagged(flagged), isFlagged(two)]).toEqual([true, true]);
    for (const decision of [hidden(orderId), restored(orderId)])
      expect(isFlagged(decideVisibility(two, decision)!.record)).toBe(false);
    const byWorker = hidden(orderId, { by: { role: 'worker', id: 'worker-ana' } });
    expect(isFlagged(decideVisibility(two, byWorker)!.record)).toBe(true);
  });

  test.each([
    ['needs_response', true],
    ['under_review', true],
    ['lost', true],
    ['won', false],
    ['prevented', false],
    ['warning_closed', false],
  ])('a dispute that is %s: %s', (status, expected) => {
    const order = decideDispute(pending, disputed(orderId, { status }).data)!.record;
    expect([isDisputed(order), isFlagged(order)]).toEqual([expected, expected]);
  });

  test('a dispute about one of its photo packages', () => {
    const { purchaseId, photoPackageType, amountMinor, currency } = growthBought(orderId).data;
    const grown = decideGrowthPurchase(pending, growthBought(orderId).data)!.record;
    const about = { photoPackage: { purchaseId, photoPackageType }, amountMinor, currency };
    const order = decideDispute(grown, disputed(orderId, { ...about, paidMinor: amountMinor }).data)!.record;
    expect([isFlagged(grown), isDisputed(order), isFlagged(order)]).toEqual([false, false, true]);
  });
});

test('the private link shows what happened to the trees and the money, and not the work of admins', () => {
  const SHOWN: Record<TimelineType, boolean> = {
    submitted: true,
    approved: true,
    rejected: true,
    paid: true,
    created: true,
    status_changed: true,
    withdrawn: true,
    withdrawal_requested: true,
    withdrawal_retracted: true,
    reinstated: true,
    refunded: true,
    refund_failed: true,
    photo: true,
    growth_bought: true,
    growth_stopped: true,
    growth_resumed: true,
    growth_visited: true,
    growth_scheduled: false,
    growth_finished: false,
    noted: false,
    edited: false,
    overtaken: false,
    reported: false,
    reassigned: false,
    disputed: false,
    return_suspected: false,
    return_confirmed: false,
    return_dismissed: false,
    photo_hidden: false,
    photo_restored: false,
    certificate_issued: false,
    certificate_revoked: false,
    gift_changed: false,
    gift_sent: false,
    gift_sent_again: false,
    gift_cancelled: false,
    gift_claimed: false,
    gift_thanked: false,
    gift_declined: false,
    gift_erased: false,
    gift_bounced: false,
    erased: false,
    address_changed: false,
  };
  const shown = Object.keys(SHOWN).filter((type) => isPublicEntry({ type } as TimelineEntry));
  expect(shown).toEqual(Object.keys(SHOWN).filter((type) => SHOWN[type as TimelineType]));
});
