/**
 * The prerendered landing page before anybody touches it: figures, price and clock are filled in by these few lines,
 * and the app itself is fetched at the first sign of a person. A press that comes while the app is on its way is
 * repeated when it has arrived; links need no app.
 */
import { APP_READY } from '../../app/ready.ts';
import { DEFAULT_TREES_PLANTED, loadTreesPlanted } from '../../api/trees-planted.ts';
import { loadDynamicPrice } from '../../api/tree-price.ts';
import { formatsOf } from '../../i18n/formats.ts';
import { visitorsLanguage } from '../../i18n/languages.ts';
import { clockValues, priceValues, treeValues, type LiveValues } from './live-values.ts';

const SIGNS_OF_A_PERSON = [
  'pointerdown',
  'pointermove',
  'touchstart',
  'keydown',
  'wheel',
  'scroll',
  'focusin',
];

type App = () => Promise<unknown>;

function fill(values: LiveValues): void {
  for (const [name, value] of Object.entries(values)) {
    for (const place of document.querySelectorAll(`[data-live="${name}"]`)) place.textContent = value;
  }
}

function fillFigures(): void {
  const formats = formatsOf(document.documentElement.lang);
  const tick = () => fill(clockValues(new Date(), formats));
  const clock = setInterval(tick, 1000);
  window.addEventListener(APP_READY, () => clearInterval(clock), { once: true });
  tick();
  void loadTreesPlanted()
    .catch(() => DEFAULT_TREES_PLANTED)
    .then((trees) => fill(treeValues(trees)));
  void loadDynamicPrice().then((price) => fill(priceValues(price, formats)));
}

/** Keeps the last button pressed before the app could answer, and presses it again then. */
function repeatEarlyPress(): void {
  let pressed: HTMLButtonElement | null = null;
  const onClick = (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button) pressed = button;
  };
  document.addEventListener('click', onClick, true);
  window.addEventListener(
    APP_READY,
    () => {
      document.removeEventListener('click', onClick, true);
      pressed?.click();
    },
    { once: true },
  );
}

const dressTheRest = () => document.documentElement.removeAttribute('data-first');

/** Until the page has loaded, the first screen has the network for itself: names of species get their typeface then. */
function dressTheRestLater(): void {
  if (document.readyState === 'complete') dressTheRest();
  else window.addEventListener('load', dressTheRest, { once: true });
}

/** @param fetchApp starts the app; called once */
export function waitForFirstTouch(fetchApp: App): void {
  dressTheRestLater();
  if (visitorsLanguage() !== document.documentElement.lang) {
    dressTheRest();
    void fetchApp();
    return;
  }
  fillFigures();
  repeatEarlyPress();
  const start = () => {
    dressTheRest();
    for (const sign of SIGNS_OF_A_PERSON) window.removeEventListener(sign, start, true);
    void fetchApp();
  };
  for (const sign of SIGNS_OF_A_PERSON)
    window.addEventListener(sign, start, { capture: true, passive: true });
}
