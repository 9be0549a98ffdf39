import { APP_READY } from '../../app/ready.ts';
import { DEFAULT_TREES_PLANTED, loadTreesPlanted } from '../../api/trees-planted.ts';
import { loadDynamicPrice } from '../../api/tree-price.ts';
import { formatsOf } from '../../i18n/formats.ts';
import { fillLive, soon } from '../first/hydrate-on-interaction.ts';
import { clockValues, priceValues, treeValues, whyDollars } from './live-values.ts';

/** Fills in figures, price and clock of the prerendered landing page; the clock ticks until the app hydrates. */
export function fillFigures(): void {
  const formats = formatsOf(document.documentElement.lang);
  const tick = () => fillLive(clockValues(new Date(), formats));
  const clock = setInterval(tick, 1000);
  window.addEventListener(APP_READY, () => clearInterval(clock), { once: true });
  soon(tick);
  void loadTreesPlanted()
    .catch(() => DEFAULT_TREES_PLANTED)
    .then((trees) => soon(() => fillLive(treeValues(trees))));
  void loadDynamicPrice().then((price) =>
    soon(() => {
      const sentence = document.querySelector<HTMLElement>('[data-live="why"]')?.dataset.sentence ?? '';
      fillLive({ ...priceValues(price, formats), why: whyDollars(price, sentence, formats) });
    }),
  );
}
