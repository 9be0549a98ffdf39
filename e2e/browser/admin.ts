import type { Page } from 'playwright-core';
import { openVisit } from '../harness/browser.ts';
import { type Language, textsOf } from '../harness/texts.ts';
import { logIn } from './people.ts';
import type { Person, Setup } from './setup.ts';

export interface Seat extends Person {
  language: Language;
  width: number;
}

/** An admin with a browser of their own, logged in at one view of the dashboard. */
export async function atDashboard(
  setup: Setup,
  seat: Seat,
  view: string,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const { context, page, faults } = await openVisit(setup.browser, seat);
  try {
    await page.goto(`${setup.product.url}/admin-dashboard?view=${view}`);
    await logIn(page, textsOf(seat.language), 'email', seat.email, seat.password);
    await act(page);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  } finally {
    await context.close();
  }
}
