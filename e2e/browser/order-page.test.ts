import { shortId } from '@arboleda/contracts/order.ts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Language, textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { expectFinished } from './finished.ts';
import { type FieldWorker, makeWorker, orderFor, useSetup } from './setup.ts';
import { visit } from './visiting.ts';

jest.setTimeout(120_000);

const setup = useSetup();
let worker: FieldWorker;
beforeAll(async () => {
  worker = await makeWorker(setup, 'Rosa Incansable');
});

/** The bytes and the name of the file that an action downloads. */
async function downloaded(page: Page, act: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download');
  await act();
  const file = await coming;
  const parts = await (await file.createReadStream()).toArray();
  return { name: file.suggestedFilename(), bytes: Buffer.concat(parts as Buffer[]) };
}

describe.each<[Language, number]>([
  ['en', 1280],
  ['es', 360],
])('in %s at %i px', (language, width) => {
  const say = textsOf(language);

  test('a guest gets the receipt by the private link, for the address of the order', async () => {
    const email = `guest-receipt-${language}@customer.test`;
    const bought = await orderFor(setup, worker, email);
    await visit(
      setup,
      async (page) => {
        await page.goto(`${setup.product.url}/orders/${bought.orderToken}`);
        const address = page.getByLabel(say('order:receipt.email'), { exact: true });
        const get = page.getByRole('button', { name: say('order:receipt.pdf') });
        await address.fill('guess@customer.test');
        const refused = page.waitForResponse((answer) => answer.status() === 422);
        await get.click();
        await refused;
        await waitFor('the refusal beside the field', async () => {
          const described = await address.getAttribute('aria-describedby');
          return described?.includes('error') && (await address.getAttribute('aria-invalid')) === 'true';
        });
        await expectFinished(page, `a receipt refused to a guest, in ${language}`);
        await address.fill(` ${email.toUpperCase()} `);
        const { name, bytes } = await downloaded(page, () => get.click());
        expect(name).toBe(`arboleda-${shortId(bought.orderId)}.pdf`);
        expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
        await page.getByText(say('order:receipt.saved')).waitFor();
        await expectFinished(page, `a receipt given to a guest, in ${language}`);
      },
      { language, width },
    );
  });
});
