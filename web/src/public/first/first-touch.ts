/**
 * A prerendered page before anybody touches it: what is not known at build time is filled in by a few lines, and the
 * app itself is fetched at the first sign of a person. A press that comes while the app is on its way is repeated when
 * it has arrived; links need no app.
 */
import { APP_READY } from '../../app/ready.ts';
import { LANGUAGE_PARAMETER, visitorsLanguage } from '../../i18n/languages.ts';

const SIGNS_OF_A_PERSON = [
  'pointerdown',
  'pointermove',
  'touchstart',
  'keydown',
  'wheel',
  'scroll',
  'focusin',
];

export interface FirstTouch {
  /** Starts the app; called once. */
  fetchApp: () => Promise<unknown>;
  /** Fills in what is not known at build time. */
  fill: () => void;
  /** The typefaces of the first screen, as CSS shorthand: "500 1em Serif". */
  typefaces: readonly string[];
  /** Something is going on here already that only the app can go on with. */
  isUnderWay?: () => boolean;
}

/** Writes values into the places that `Live` keeps for them. */
export function fillLive(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    for (const place of document.querySelectorAll(`[data-live="${name}"]`)) place.textContent = value;
  }
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

/** What a page that nobody touched keeps back, in first-screen.css. */
const { dataset } = document.documentElement;
const showAll = () => delete dataset.first;
const show = (stage: 'painted' | 'written') => dataset.first && (dataset.first = stage);

/** Somebody was sent here with more to say than their language. */
function isSentHere(): boolean {
  const asked = new URLSearchParams(location.search);
  asked.delete(LANGUAGE_PARAMETER);
  return asked.size > 0;
}

/** After what is there has been painted, and by itself: on a slow telephone long work at once makes a page deaf. */
export const soon = (work: () => void): void => {
  requestAnimationFrame(() => setTimeout(work));
};

/** When the words and the first picture's light copy are on the screen; a page that nobody sees is not painted. */
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
 * Pictures and figures are asked for then, and typefaces; the words change to those all at once when they are there, as a
 * layout that waits for typefaces takes the longest. The app may be there first.
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

/** A slow line brings the page before this script: somebody may have scrolled, pressed or chosen by then. */
const isTouched = (): boolean =>
  navigator.userActivation?.hasBeenActive || scrollY > 0 || document.querySelector('input:checked') !== null;

/** Browsers tell of a pointer that lies still, too, when a page is laid out below it. */
const isResting = (sign: Event): boolean =>
  sign.type === 'pointermove' &&
  (sign as PointerEvent).movementX === 0 &&
  (sign as PointerEvent).movementY === 0;

export function waitForFirstTouch({ fetchApp, fill, typefaces, isUnderWay }: FirstTouch): void {
  if (visitorsLanguage() !== document.documentElement.lang || isSentHere() || isUnderWay?.()) {
    showAll();
    void fetchApp();
    return;
  }
  showMoreWhenPainted(fill, typefaces);
  repeatEarlyPress();
  const start = (sign?: Event) => {
    if (sign && isResting(sign)) return;
    showAll();
    for (const sign of SIGNS_OF_A_PERSON) window.removeEventListener(sign, start, true);
    void fetchApp();
  };
  if (isTouched()) return start();
  for (const sign of SIGNS_OF_A_PERSON)
    window.addEventListener(sign, start, { capture: true, passive: true });
}
