import { testGiftToken } from '@arboleda/chassis/testing/config.ts';
import { type Mail } from '@arboleda/chassis/ports/mailer.ts';
import { gate } from '@arboleda/chassis/testing/gate.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { describe, expect, test } from '@jest/globals';
import { AT, someOrder } from './builders.ts';
import {
  DAY_MS,
  inDays,
  service,
  reports,
  report,
  giftRow,
  revisionIs,
  runGiftJobs,
  letters,
  subjectsTo,
  given,
  controlled,
} from './gift-harness.ts';

describe('a gift', () => {
  test('arrives in its buyer’s name, with card, message and a link, and is reported', async () => {
    await service.start();
    const { order, orderId, scheduled, to } = await given({ language: 'en' });
    expect(await report(orderId)).toEqual([
      { type: 'gift.delivered', orderId, revision: 1, at: expect.any(String) },
    ]);
    const [mail] = await service.someMailsTo(to);
    expect(mail!.from).toEqual([{ name: 'Lucía Peña via Arboleda', address: 'hola@arboleda.test' }]);
    expect(mail!.headers).not.toHaveProperty('reply-to');
    expect(mail!.to).toEqual([{ name: 'Mateo Ríos', address: to }]);
    expect(mail!.text).toContain('«Que crezcan tan altos como tú.»');
    expect(mail!.text).toContain(`https://arboleda.test/g/${testGiftToken(scheduled.orderId, 1)}\n`);
    expect(mail!.headers['list-unsubscribe']).toBe(
      `<https://arboleda.test/g/${testGiftToken(scheduled.orderId, 1)}/stop>`,
    );
    expect(mail!.headers).not.toHaveProperty('list-unsubscribe-post');
    expect(mail!.text + mail!.html).not.toMatch(/COP|82,300|\/orders\//);
    expect(mail!.text + mail!.html).not.toContain(order.email);
    expect(await service.someMailsTo(order.email, 2)).toContainEqual(
      expect.objectContaining({ subject: expect.stringMatching(/^Your gift was delivered/) }),
    );
  });

  test('a year ahead waits for its day, over restarts, and goes then once', async () => {
    const first = await service.start();
    const { orderId, to } = await given({ deliverAt: inDays(365) });
    await runGiftJobs();
    await first.stop();
    const second = await service.start(undefined, () => new Date(Date.now() + 364.9 * DAY_MS));
    await runGiftJobs();
    await service.settle();
    expect(await letters(to)).toEqual([]);
    await second.stop();
    await service.start(undefined, () => new Date(Date.now() + 365.1 * DAY_MS));
    await runGiftJobs();
    await report(orderId);
    await service.settle();
    expect(await letters(to)).toHaveLength(1);
    expect(reports(orderId)).toHaveLength(1);
  });

  test('whose job was lost is found again', async () => {
    const first = await service.start();
    const { orderId, to } = await given({ deliverAt: inDays(1) });
    await first.stop();
    await service.query(
      `select graphile_worker.complete_jobs(array(
         select id from graphile_worker.jobs where key = 'job:notifications:deliver-gift:' || $1))`,
      [`${orderId}:1`],
    );
    await service.query(`update notifications.gifts set deliver_at = now() where order_id = $1`, [orderId]);
    // It looks after a start.
    await service.query(
      `select from graphile_worker.reschedule_jobs(
         array(select id from graphile_worker.jobs where key = 'job:notifications:every:catch-up'), now())`,
    );
    await service.start();
    await report(orderId);
    expect(await letters(to)).toHaveLength(1);
  });

  test('is sent once, however often its event is delivered', async () => {
    await service.start();
    const { orderId, event, to } = await given();
    await report(orderId);
    for (let time = 0; time < 3; time++) await service.republish(event);
    await service.settle();
    expect(await letters(to)).toHaveLength(1);
    expect(reports(orderId)).toHaveLength(1);
  });

  test('is sent as it was changed last, also when changes arrive out of order', async () => {
    await service.start();
    const { orderId, scheduled, schedule, to } = await given({ deliverAt: inDays(5) });
    const says = (message: string) => ({ gift: { ...scheduled.gift, message } });
    await schedule({ revision: 3, deliverAt: inDays(-1), ...says('The third') });
    await revisionIs(orderId, 3);
    await schedule({ revision: 2, deliverAt: inDays(-1), ...says('The second') });
    expect(await report(orderId)).toMatchObject([{ revision: 3 }]);
    await service.settle();
    const [mail, ...more] = await letters(to);
    expect(more).toEqual([]);
    expect(mail!.text).toContain('«The third»');
  });

  test('keeps its link when the secret of links was changed while it waits', async () => {
    await service.start();
    const { orderId, schedule, to } = await given({ deliverAt: inDays(5) });
    const former = 'F'.repeat(22);
    await service.query('update notifications.gifts set token = $2 where order_id = $1', [orderId, former]);
    await schedule({ revision: 2, deliverAt: inDays(-1) });
    const [mail] = await service.someMailsTo(to);
    expect(mail!.text).toContain(`/g/${former}\n`);
  });

  test('moved to a later day does not go on the earlier one', async () => {
    await service.start();
    const { orderId, schedule, to } = await given({ deliverAt: inDays(1) });
    await schedule({ revision: 2, deliverAt: inDays(9) });
    await revisionIs(orderId, 2);
    await runGiftJobs();
    await service.settle();
    expect(await letters(to)).toEqual([]);
    expect(reports(orderId)).toEqual([]);
  });

  test('whose day changes while it is being sent is not sent again', async () => {
    const [begun, answered] = [gate(), gate()];
    await service.start(
      controlled(async (mail, real) => {
        if (mail.fromName) {
          begun.open();
          await answered.opened;
        }
        await real.send(mail);
      }),
    );
    const { orderId, schedule, to } = await given();
    await begun.opened;
    await schedule({ revision: 2, deliverAt: inDays(7) });
    await revisionIs(orderId, 2);
    answered.open();
    expect(await report(orderId)).toMatchObject([{ revision: 2 }]);
    await service.settle();
    expect(await letters(to)).toHaveLength(1);
    expect((await giftRow(orderId)).state).toBe('delivered');
  });

  test('whose day changes just after it was delivered is not sent again', async () => {
    await service.start();
    const { orderId, schedule, to } = await given();
    await report(orderId);
    await schedule({ revision: 2, deliverAt: inDays(-1) });
    await revisionIs(orderId, 2);
    await service.settle();
    expect(await letters(to)).toHaveLength(1);
    expect(reports(orderId)).toHaveLength(1);
  });

  test('goes once more when its buyer asks for that', async () => {
    await service.start();
    const { orderId, schedule, to } = await given();
    await report(orderId);
    await schedule({ revision: 2, again: true });
    expect(await report(orderId, 2)).toMatchObject([{ revision: 1 }, { revision: 2 }]);
    await service.settle();
    expect(await letters(to)).toHaveLength(2);
  });

  test('goes once although the confirmation of the mail server is lost and its database fails', async () => {
    const seen: Mail[] = [];
    await service.start(
      controlled(async (mail, real) => {
        await real.send(mail);
        if (!mail.fromName) return;
        seen.push(mail);
        if (seen.length > 1) return;
        await service.query(
          `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$`,
        );
        await service.query(
          `create trigger refuse before update of sent_at on notifications.mails for each row execute function refuse()`,
        );
      }),
    );
    const { orderId, to } = await given();
    await waitFor(() => seen.length === 1);
    await waitFor(async () => (await letters(to)).length === 1);
    expect(reports(orderId)).toEqual([]);
    await service.query('drop trigger refuse on notifications.mails');
    await service.query('drop function refuse');
    await report(orderId);
    await service.settle();
    expect(await letters(to)).toHaveLength(1);
    expect(reports(orderId)).toHaveLength(1);
  });

  test('to hand over is reported on its day, without an email', async () => {
    await service.start();
    const { order, orderId } = await given({ recipientEmail: null });
    expect(await report(orderId)).toMatchObject([{ type: 'gift.delivered', revision: 1 }]);
    await service.settle();
    expect(await subjectsTo(order.email)).toEqual([expect.stringMatching(/^Receipt/)]);
  });

  test('cancelled before its day does not go, and leaves nothing of its recipient', async () => {
    await service.start();
    const { orderId, to } = await given({ deliverAt: inDays(1) });
    await service.publish('gift.cancelled', { orderId, revision: 2, at: AT });
    await revisionIs(orderId, 2);
    await service.query(`update notifications.gifts set deliver_at = now() where order_id = $1`, [orderId]);
    await runGiftJobs();
    await service.settle();
    expect(await letters(to)).toEqual([]);
    expect(await giftRow(orderId)).toMatchObject({
      recipient_name: null,
      recipient_email: null,
      message: null,
    });
  });

  test('scheduled before its cancellation and received after it does not go', async () => {
    await service.start();
    const order = someOrder();
    const { orderId } = order.created;
    const scheduled = order.gift();
    await service.publish('order.created', order.created);
    await service.publish('gift.cancelled', { orderId, revision: 2, at: AT });
    await revisionIs(orderId, 2);
    await service.publish('gift.scheduled', scheduled);
    await service.settle();
    expect(await letters(scheduled.gift.recipientEmail!)).toEqual([]);
  });
});
