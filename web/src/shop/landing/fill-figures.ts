import { APP_READY } from '../../layout/ready.ts';
import { DEFAULT_TREES_PLANTED, loadTreesPlanted } from '../../api/trees-planted.ts';
import { loadDynamicPrice } from '../../api/tree-price.ts';
import { formatsOf } from '../../i18n/formats.ts';
import { fillLive, soon } from '../first/hydrate-on-interaction.ts';
import { clockValues, priceValues, treeValues, whyDollars } from './live-values.ts';

/** Fills in figures, price and clock of the prerendered landing page; the clock ticks until the app hydrates. */
export function fillFigures(): void {
  const formats = formatsOf(document.documentElement.lang);
  let clock: ReturnType<typeof setInterval> | undefined;
  const tick = () => fillLive(clockValues(new Date(), formats));
  const observer = whenInView('[data-live="date"]', () => {
    tick();
    clock = setInterval(tick, 1000);
  });
  const hydrated = () => {
    observer.disconnect();
    clearInterval(clock);
  };
  window.addEventListener(APP_READY, hydrated, { once: true });
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

/** The date is below the first screen, and the first one that a browser formats blocks a slow phone for 80 ms. */
function whenInView(selector: string, work: () => void): IntersectionObserver {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    work();
  });
  for (const place of document.querySelectorAll(selector)) observer.observe(place);
  return observer;
}
