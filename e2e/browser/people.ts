import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { NamedPicture } from '@arboleda/cli/demo/photos.ts';
import type { Say } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';

const CARD_FRAME = 'iframe[src*="/elements/payment"]';
const CHALLENGE_FRAME = 'iframe[src*="challenge"]';

/** Chooses a package on /plant-trees; the checkout opens below it. */
export async function choosePackage(
  page: Page,
  say: Say,
  packageType: 'individual' | 'grove' | 'patch' | 'custom',
): Promise<void> {
  const choice = page.getByRole('radio', { name: say(`checkout:packages.${packageType}.name`), exact: true });
  await choice.click();
  // While the page comes to life, what was pressed is shown a moment later.
  await waitFor('the choice to be shown', () => choice.isChecked());
}

export interface Donor {
  name: string;
  email: string;
}

/** Types name, address and card; the fields of the card are in the provider's own frame. */
export async function fillCheckout(page: Page, say: Say, donor: Donor, card: string): Promise<void> {
  const details = page.getByRole('group', { name: say('checkout:panel.details') });
  await details.getByLabel(say('checkout:panel.name')).fill(donor.name);
  await details.getByLabel(say('checkout:panel.email')).fill(donor.email);
  await fillCard(page, card);
}

export async function fillCard(page: Page, card: string): Promise<void> {
  const frame = page.frameLocator(CARD_FRAME);
  await frame.locator('[autocomplete="cc-number"]').fill(card);
  await frame.locator('[autocomplete="cc-exp"]').fill('12 / 34');
  await frame.locator('[autocomplete="cc-csc"]').fill('123');
}

/** The button that says what will be charged. */
export const payButton = (page: Page) => page.locator('button[type=submit]').filter({ hasText: '·' });

export const challenge = (page: Page): FrameLocator => page.frameLocator(CHALLENGE_FRAME);

/** Logs in at a portal whose form is on the screen. */
export async function logIn(
  page: Page,
  say: Say,
  label: 'email' | 'workerId',
  name: string,
  password: string,
): Promise<void> {
  await page.getByLabel(say(`portal:logIn.${label}`), { exact: true }).fill(name);
  await page.getByLabel(say('portal:logIn.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: say('portal:logIn.submit'), exact: true }).click();
}

/** Presses Tab until something has the focus, as somebody without a mouse does. @throws when it never gets it */
export async function tabTo(page: Page, target: Locator, atMost = 60): Promise<void> {
  for (let pressed = 0; pressed < atMost; pressed++) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
  }
  throw new Error(`${atMost} times Tab did not lead to ${String(target)}`);
}

/** Puts pictures into the checkout's drop zone by its picker. */
export const choosePictures = (page: Page, say: Say, files: readonly NamedPicture[]): Promise<void> =>
  page
    .getByRole('group', { name: say('checkout:evidence.label') })
    .locator('input[type=file][multiple]')
    .setInputFiles([...files]);

/** Chooses the bank transfer and types everything that it needs but the pictures. */
export async function fillTransfer(page: Page, say: Say, donor: Donor): Promise<void> {
  await page
    .getByRole('radio', { name: say('checkout:method.transfer.name', { bank: 'Bancolombia' }), exact: true })
    .check();
  const details = page.getByRole('group', { name: say('checkout:panel.details') });
  await details.getByLabel(say('checkout:panel.name')).fill(donor.name);
  await details.getByLabel(say('checkout:panel.email')).fill(donor.email);
}
