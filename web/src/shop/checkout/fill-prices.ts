import { loadPackagePrices } from '../../api/package-prices.ts';
import { formatsOf } from '../../i18n/formats.ts';
import { fillLive, soon } from '../first/hydrate-on-interaction.ts';
import { amountValues, noteOf } from './live-prices.ts';

/** Fills in prices of the prerendered checkout; after hydration the app loads its own signed prices. */
export function fillPrices(): void {
  const formats = formatsOf(document.documentElement.lang);
  void loadPackagePrices().then((prices) => {
    fillLive(amountValues(prices, formats));
    // In a task of its own: the first date that a browser formats takes long on a slow phone.
    soon(() => {
      const { sentence, values } = noteOf(prices, formats);
      const template = document.querySelector<HTMLElement>('[data-live="note"]')?.dataset[sentence] ?? '';
      fillLive({ note: filled(template, values) });
    });
  });
}

const filled = (template: string, values: Readonly<Record<string, string | undefined>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_mark, name: string) => values[name] ?? '');
