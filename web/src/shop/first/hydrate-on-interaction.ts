/**
 * Runs a prerendered page until interaction: fills in values unknown at build time and loads the app on the first
 * interaction. Repeats what was pressed or chosen while the app loads; links need no app.
 */
import { APP_READY } from '../../layout/ready.ts';
import { LANGUAGE_PARAMETER, visitorsLanguage } from '../../i18n/languages.ts';

const SIGNS_OF_A_PERSON = [
  'pointerdown',
  'pointermove',
  'touchstart',
  'keydown',
  'wheel',
  'scroll',
  'focusin',
  'change',
];

export interface FirstTouch {
  fetchApp: () => Promise<unknown>;
  /** Fills in values unknown at build time. */
  fill: () => void;
  /** Fonts of the first screen, as CSS shorthand: "500 1em Serif". */
  typefaces: readonly string[];
  /** Whether something is in progress that needs the app. */
  isUnderWay?: () => boolean;
}

export function fillLive(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    for (const place of document.querySelectorAll(`[data-live="${name}"]`)) place.textContent = value;
  }
}

/** Repeats the last button press and the last choice from a list once the app is ready. */
function repeatEarlyActs(): void {
  let pressed: HTMLButtonElement | null = null;
  let chosen: { list: HTMLSelectElement; value: string } | undefined;
  const onChange = ({ target }: Event) => {
    if (target instanceof HTMLSelectElement) chosen = { list: target, value: target.value };
  };
  const onClick = (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button) pressed = button;
  };
  document.addEventListener('click', onClick, true);
  document.addEventListener('change', onChange, true);
  window.addEventListener(
    APP_READY,
    () => {
      document.removeEventListener('click', onClick, true);
      document.removeEventListener('change', onChange, true);
      pressed?.click();
      if (!chosen) return;
      chosen.list.value = chosen.value;
      chosen.list.dispatchEvent(new Event('change', { bubbles: true }));
    },
    { once: true },
  );
}

/** State that first-screen.css uses to defer content. */
const { dataset } = document.documentElement;
const showAll = () => delete dataset.first;
const show = (stage: 'painted' | 'written') => dataset.first && (dataset.first = stage);

/** Whether the address contains more than a language. */
function hasOtherParameters(): boolean {
  const asked = new URLSearchParams(location.search);
  asked.delete(LANGUAGE_PARAMETER);
  return asked.size > 0;
}

/** Runs work after painting in its own task, because long tasks block input on slow phones. */
export const soon = (work: () => void): void => {
  requestAnimationFrame(() => setTimeout(work));
};

/** Runs once the text and the preview picture are painted; hidden pages never paint. */
function whenPainted(work: () => void): void {
  const observed = globalThis.PerformanceObserver?.supportedEntryTypes ?? [];
  if (!observed.includes('paint')) return soon(work);
  const observer = new PerformanceObserver((seen) => {
    if (seen.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    soon(work);
  });
  observer.observe({ type: 'paint', buffered: true });
}

/**
 * Loads pictures, figures and fonts after the first paint. Text switches to the fonts at once, because layout with
 * pending fonts is slow. The app may load earlier.
 */
function showMoreWhenPainted(fill: () => void, typefaces: readonly string[]): void {
  let isReady = false;
  window.addEventListener(APP_READY, () => (isReady = true), { once: true });
  whenPainted(() => {
    show('painted');
    void Promise.allSettled(typefaces.map((face) => document.fonts.load(face))).then(() => show('written'));
    if (!isReady) fill();
  });
}

/** On a slow line the visitor may scroll, press or choose before this script runs. */
const hasInteracted = (): boolean =>
  navigator.userActivation?.hasBeenActive || scrollY > 0 || document.querySelector('input:checked') !== null;

/** Browsers report a resting pointer when the layout below it changes. */
const isResting = (sign: Event): boolean =>
  sign.type === 'pointermove' &&
  (sign as PointerEvent).movementX === 0 &&
  (sign as PointerEvent).movementY === 0;

export function hydrateOnInteraction({ fetchApp, fill, typefaces, isUnderWay }: FirstTouch): void {
  if (visitorsLanguage() !== document.documentElement.lang || hasOtherParameters() || isUnderWay?.()) {
    showAll();
    void fetchApp();
    return;
  }
  showMoreWhenPainted(fill, typefaces);
  repeatEarlyActs();
  const start = (sign?: Event) => {
    if (sign && isResting(sign)) return;
    showAll();
    for (const sign of SIGNS_OF_A_PERSON) window.removeEventListener(sign, start, true);
    void fetchApp();
  };
  if (hasInteracted()) return start();
  for (const sign of SIGNS_OF_A_PERSON)
    window.addEventListener(sign, start, { capture: true, passive: true });
}
