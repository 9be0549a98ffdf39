import { ORGANISATION } from '@arboleda/contracts/organisation.ts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { photo } from '../driver/pictures.ts';
import { brokenPictures, overflow, violations } from '../harness/accessible.ts';
import { linksIn, type ReceivedMail } from '../harness/inbox.ts';
import type { Language } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { SUBJECTS } from './email-subjects.ts';
import { type FieldWorker, makeWorker, orderFor, PASSWORD, useSetup } from './setup.ts';
import { visit } from './visiting.ts';

jest.setTimeout(240_000);

const setup = useSetup();
let worker: FieldWorker;
beforeAll(async () => {
  worker = await makeWorker(setup, 'Rosa Incansable');
});

/** A donor’s life with Arboleda, by what the product sends. @returns their emails, by kind */
async function sentTo(email: string, language: Language): Promise<Map<string, ReceivedMail>> {
  const { driver, inbox } = setup;
  const admin = await setup.admin();
  await driver.call('POST /api/auth/customer/register', {
    body: { name: 'Lucía Peña', email, password: PASSWORD, locale: language },
  });
  const verify = await inbox.mail(email, /verify-email#/);
  const token = new URLSearchParams(
    new URL(/https?:\S+verify-email#\S+/.exec(verify.text)![0]).hash.slice(1),
  );
  const session = await driver.call('POST /api/auth/customer/login', { body: { email, password: PASSWORD } });
  const { token: customer } = await driver.call('POST /api/auth/customer/verify-email', {
    token: session.token,
    body: { token: token.get('token')! },
  });
  await driver.call('POST /api/auth/{role}/forgot-password', {
    params: { role: 'customer' },
    body: { email },
  });

  const bought = await orderFor(setup, worker, email, { language, name: 'Lucía Peña' });
  await driver.plant(worker.token, bought.assignmentId, { location: 'Vereda Cocora, Salento' });
  const photos = [await photo(undefined, new Date(), '1.jpg'), await photo(undefined, new Date(), '2.jpg')];
  await driver.photograph(worker.token, bought.assignmentId, photos);
  await driver.complete(worker.token, bought.assignmentId);
  await driver.buyPhotoPackage(customer, bought.orderId);
  const { paymentId } = await driver.payment(admin, bought.orderId);
  await driver.refund(admin, paymentId, 'A part goes back', 500);

  const transfer = { language, name: 'Lucía Peña' };
  const approved = await driver.announce(email, { ...transfer, reference: `ARB-${language}-1` });
  await driver.approve(admin, approved.orderId);
  const rejected = await driver.announce(email, { ...transfer, trees: 20, reference: `ARB-${language}-2` });
  await driver.reject(admin, rejected.orderId, 'The reference is not in our account.');

  return waitFor('an email of every kind', async () => {
    const received = await inbox.all(email);
    const found = Object.entries(SUBJECTS[language]).map(
      ([kind, subject]) => [kind, received.find((mail) => subject.test(mail.subject))] as const,
    );
    const missing = found.filter(([, mail]) => !mail).map(([kind]) => kind);
    if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
    return new Map(found as [string, ReceivedMail][]);
  });
}

describe.each<Language>(['en', 'es'])('the emails in %s, as they are sent', (language) => {
  let mails: Map<string, ReceivedMail>;
  beforeAll(async () => {
    mails = await sentTo(`emails-${language}@mails.test`, language);
  });
  const each = Object.keys(SUBJECTS[language]);

  test.each(each)('%s: fits a phone, names its pictures, and is read by everyone', async (kind) => {
    const { html } = mails.get(kind)!;
    for (const width of [360, 600]) {
      await visit(
        setup,
        async (page) => {
          await page.setContent(html, { waitUntil: 'load' });
          const seen = {
            overflow: await overflow(page),
            broken: await brokenPictures(page),
            nameless: await page.locator('img:not([alt]), img[alt=""]').count(),
            light: await violations(page, 'email'),
            dark: await page.emulateMedia({ colorScheme: 'dark' }).then(() => violations(page, 'colours')),
          };
          expect(seen).toEqual({ overflow: 0, broken: [], nameless: 0, light: [], dark: [] });
        },
        { language, width },
      );
    }
  });

  test.each(each)('%s: says who sends it, in both forms', (kind) => {
    const { html, text } = mails.get(kind)!;
    const { legalName, taxId, address, contactEmail } = ORGANISATION;
    for (const fact of [legalName, taxId, address, contactEmail]) {
      expect(html).toContain(fact);
      expect(text).toContain(fact);
    }
  });

  test.each(each)('%s: every link leads to our site and answers', async (kind) => {
    const links = linksIn(mails.get(kind)!);
    expect(links.length).toBeGreaterThanOrEqual(4);
    for (const link of links) {
      expect(new URL(link).origin).toBe(setup.product.url);
      expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    }
  });
});
