import { beforeAll, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { shortId } from '@arboleda/contracts/order.ts';
import { receipt } from '@arboleda/cli/demo/photos.ts';
import { textsOf } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { atDashboard } from './admin.ts';
import { expectFinished } from './finished.ts';
import { VISITORS } from './orders.ts';
import { makeAdmin, type Person, useSetup } from './setup.ts';

jest.setTimeout(180_000);

const setup = useSetup();
const { driver } = setup;
let admin: Person;
beforeAll(async () => {
  admin = await makeAdmin(setup, 'carolina@statements.test');
});

/** A transfer of COP 82,300 with a reference of ours, as the checkout announces it. */
async function announced(email: string, language: 'en' | 'es') {
  const { referenceNumber } = await driver.call('GET /api/manual-payments/reference');
  const evidence = [await receipt()];
  const { orderId } = await driver.announce(email, { language, reference: referenceNumber, evidence });
  return { orderId, referenceNumber };
}

/** A bank's file as Colombian banks export it; one more row belongs to no order. */
const fileOf = (rows: readonly string[]) => ({
  name: 'extracto.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['Fecha;Descripción;Valor;Documento', ...rows, ''].join('\r\n'), 'latin1'),
});

const paymentsOf = async (orderIds: readonly string[]) => {
  const token = await setup.admin();
  return Promise.all(orderIds.map(async (orderId) => (await driver.payment(token, orderId)).status));
};

/** A busy week's transfers for an admin, and few enough for a phone. */
const AMOUNTS = { en: 100, es: 3 };
const MAX_CLICKS = 12;

/** How often the person has clicked. */
const countClicks = async (page: Page): Promise<() => Promise<number>> => {
  await page.evaluate(() => {
    const counted = Object.assign(globalThis, { clicks: 0 });
    addEventListener('click', ({ isTrusted }) => void (counted.clicks += Number(isTrusted)), true);
  });
  return () => page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks);
};

test.each(VISITORS)(
  'a statement pays all sure orders with one confirmation, in $language at $width px',
  async ({ language, width }) => {
    const say = textsOf(language);
    const transfers: Awaited<ReturnType<typeof announced>>[] = [];
    for (let n = 1; n <= AMOUNTS[language]; n++)
      transfers.push(await announced(`buyer${n}-${language}@statements.test`, language));
    const orderIds = transfers.map(({ orderId }) => orderId);
    const file = fileOf([
      ...transfers.map(
        ({ referenceNumber }, at) =>
          `${10 + (at % 10)}/11/2026;TRANSF ${referenceNumber.replace('-', '').toLowerCase()} ${language};82.300,00;${language}${at}`,
      ),
      `23/11/2026;CONSIGNACION ${language};50.001,00;${language}-other`,
    ]);
    const rows = transfers.length + 1;
    await atDashboard(setup, { ...admin, language, width }, 'statements', async (page) => {
      await page.getByText(say('statements:import.choose')).first().waitFor();
      const clicks = await countClicks(page);
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('heading', { name: say('statements:draft.title') }).waitFor();
      await expectFinished(page, 'a statement as it was understood');
      await page.getByRole('button', { name: say('statements:draft.confirm', { count: rows }) }).click();
      await page.getByText(say('statements:import.added', { count: rows })).waitFor();
      for (const orderId of orderIds) await page.getByRole('link', { name: shortId(orderId) }).waitFor();
      await expectFinished(page, 'sure rows');
      // Other files' transfers may be sure, too.
      await page.getByRole('button', { name: /^(Approve|Aprobar) .*(sure|seguras?)/ }).click();
      const dialog = page.getByRole('dialog');
      for (const orderId of orderIds) await dialog.getByText(shortId(orderId)).waitFor();
      await expectFinished(page, 'question before the approval of sure rows');
      await dialog.getByRole('button', { name: /^(Approve|Aprobar) \d/ }).dblclick();
      await page.getByText(/^\d+ (orders are approved|pedidos quedaron aprobados)\.$/).waitFor();
      await page.getByRole('button', { name: new RegExp(`^${say('statements:lists.unknown')}`) }).click();
      await page.getByText(`CONSIGNACION ${language}`).first().waitFor();
      const choosingTheFile = 2;
      expect((await clicks()) + choosingTheFile).toBeLessThanOrEqual(MAX_CLICKS);
    });
    await waitFor('paid orders', async () =>
      (await paymentsOf(orderIds)).every((status) => status === 'succeeded'),
    );
    expect(new Set(await paymentsOf(orderIds))).toEqual(new Set(['succeeded']));
  },
);

test.each(VISITORS)(
  'what a file does not tell is asked with the reason, in $language at $width px',
  async ({ language, width }) => {
    const say = textsOf(language);
    const rows = [
      `Fecha;Descripción;Clase;Cuenta;Valor`,
      `16/11;ASKED ${language};Alfa;123-456789-01;288.050,00`,
      `17/11;ASKED ${language};Beta;987-654321-02;12.500,00`,
    ];
    const file = { name: 'asked.csv', mimeType: 'text/csv', buffer: Buffer.from([...rows, ''].join('\r\n')) };
    await atDashboard(setup, { ...admin, language, width }, 'statements', async (page) => {
      const read = () => page.getByRole('button', { name: say('statements:layout.read') }).click();
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByText(say('statements:layout.columns')).waitFor();
      const why = page.getByLabel(say('statements:layout.doubts.label'));
      await why.getByText(/Clase/).waitFor();
      await why.getByText(/123-456789-01/).waitFor();
      await expectFinished(page, 'a statement whose columns are asked');
      await page.getByLabel('Clase').selectOption('direction');
      await page.getByLabel('Cuenta').selectOption('text');
      await page.getByLabel(say('statements:layout.year')).fill('2026');
      await read();
      await page.getByText(say('statements:layout.directions')).waitFor();
      await page.getByLabel('alfa').selectOption('in');
      await page.getByLabel('beta').selectOption('out');
      await expectFinished(page, 'values of a statement that are asked');
      await read();
      await page.getByRole('button', { name: say('statements:draft.confirm', { count: 1 }) }).waitFor();
      await expectFinished(page, 'a statement after its questions');
    });
  },
);
