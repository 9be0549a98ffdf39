import type { Gift } from '@arboleda/contracts/gift.ts';
import { PHOTO_FILES } from '../../api/fuzz/photo-files.ts';
import { aGift } from '../../api/gift.ts';
import { openProvider } from '../../driver/provider.ts';
import { assigned, type Cast } from './field.ts';

/** Refunds by card and by hand, and disputes, in every state. */
export async function refundAndDispute(cast: Cast): Promise<void> {
  const { driver, people, product } = cast;
  const { finance } = people;
  const provider = openProvider(product);
  const paid = async (name: string, trees = 5) => {
    const { orderId } = await assigned(cast, `${name}@fixture.test`, { trees });
    return driver.payment(finance, orderId);
  };
  const refundOf = async (paymentId: string, status: string) =>
    driver.until(`a refund that is ${status}`, async () => {
      const { payment } = await driver.call('GET /api/admin/payments/{id}', {
        token: finance,
        params: { id: paymentId },
      });
      return payment.refunds.find((one) => one.status === status);
    });
  await driver.refund(finance, (await paid('part')).paymentId, 'One tree less', 400);
  await driver.refund(finance, (await paid('whole')).paymentId, 'Ordered twice');
  for (const name of ['returned', 'dismissed']) {
    const { paymentId } = await paid(name);
    const { transactionId } = await driver.refund(finance, paymentId, 'The card was closed', 500);
    await provider.failRefund(transactionId!);
    const failed = await refundOf(paymentId, 'failed');
    if (name === 'dismissed')
      await driver.call('POST /api/admin/refunds/{id}/dismissal', {
        token: finance,
        params: { id: failed.refundId },
        body: { reason: 'They want to plant another tree' },
      });
  }
  for (const outcome of ['open', 'lost', 'won'] as const) {
    const { orderId, transactionId } = await paid(`dispute-${outcome}`);
    await provider.dispute(transactionId!, outcome === 'open' ? undefined : outcome);
    const status = outcome === 'open' ? 'needs_response' : outcome;
    await driver.until(`a dispute that is ${status}`, async () => {
      const { disputes } = await driver.payment(finance, orderId);
      return disputes.some((one) => one.status === status);
    });
  }
}

/** Withdrawals: asked for, retracted, and answered by a refund. */
export async function withdrawOrders({ driver, people }: Cast): Promise<void> {
  for (const name of ['asked', 'retracted', 'answered']) {
    const email = `withdrawal-${name}@fixture.test`;
    const { orderId, orderToken } = await driver.buy(email, { currency: 'COP', language: 'es' });
    const params = { token: orderToken };
    await driver.call('POST /api/track/{token}/withdrawal', {
      params,
      body: { email, reason: 'Mi hermana ya los había regalado' },
    });
    if (name === 'retracted')
      await driver.call('POST /api/track/{token}/withdrawal/retract', { params, body: { email } });
    if (name !== 'answered') continue;
    await driver.refund(
      people.finance,
      (await driver.payment(people.finance, orderId)).paymentId,
      'Withdrawal',
    );
    await driver.until('an answered withdrawal', async () => {
      return (await driver.track(orderToken))!.withdrawal?.answeredAt;
    });
  }
}

/** Transfers that wait, also for a second admin, were approved and rejected; and money sent back by hand. */
export async function sendTransfers({ driver, people }: Cast): Promise<void> {
  const { finance, owner } = people;
  const announce = (name: string, trees: number, gift?: Gift) =>
    driver.announce(`transfer-${name}@fixture.test`, {
      trees,
      reference: `REF-${name}`,
      evidence: [{ name: `${name}.png`, mimeType: 'image/png', buffer: PHOTO_FILES.png }],
      ...(gift && { gift }),
    });
  await announce('waiting', 1, aGift({ recipientEmail: 'unpaid@fixture.test' }));
  await driver.approve(owner, (await announce('first-of-two', 300)).orderId, 'Half of it is there');
  await driver.reject(finance, (await announce('rejected', 1)).orderId, 'Paid to another account');
  for (const name of ['whole', 'part', 'claimed', 'sent', 'not-sent']) {
    const { orderId } = await announce(name, 5);
    await driver.approve(finance, orderId, 'Value in full');
    const { paymentId } = await driver.until(`the payment of ${name}`, async () => {
      const payment = await driver.payment(finance, orderId);
      return payment.status === 'succeeded' && payment;
    });
    const isClaimed = name !== 'whole' && name !== 'part';
    const { refund } = await driver.call('POST /api/admin/payments/{id}/refunds', {
      token: finance,
      params: { id: paymentId },
      body: {
        reason: 'Sent back at the bank',
        byHand: true,
        claim: isClaimed,
        ...(name === 'part' && { amount: 1_000_000 }),
      },
    });
    if (isClaimed && name !== 'claimed')
      await driver.call('POST /api/admin/refunds/{id}/settlement', {
        token: finance,
        params: { id: refund.refundId },
        body: { sent: name === 'sent' },
      });
  }
}
