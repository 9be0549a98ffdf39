import type { Page } from 'playwright-core';

/** The bytes and the name of the file that an action downloads. */
export async function downloaded(
  page: Page,
  act: () => Promise<void>,
): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download');
  await act();
  const file = await coming;
  const parts = await (await file.createReadStream()).toArray();
  return { name: file.suggestedFilename(), bytes: Buffer.concat(parts as Buffer[]) };
}
