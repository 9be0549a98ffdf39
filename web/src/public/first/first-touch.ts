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
const showLoaded = () => dataset.first && (dataset.first = 'loaded');

function showMoreWhenLoaded(): void {
  if (document.readyState === 'complete') showLoaded();
  else window.addEventListener('load', showLoaded, { once: true });
}

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

/** A page that nobody sees is not painted: the app may be there first. */
function fillUntilReady(fill: () => void): void {
  let isReady = false;
  window.addEventListener(APP_READY, () => (isReady = true), { once: true });
  soon(() => isReady || fill());
}

/** A slow line brings the page before this script: somebody may have scrolled, pressed or chosen by then. */
const isTouched = (): boolean =>
  navigator.userActivation?.hasBeenActive || scrollY > 0 || document.querySelector('input:checked') !== null;

export function waitForFirstTouch({ fetchApp, fill, isUnderWay }: FirstTouch): void {
  showMoreWhenLoaded();
  if (visitorsLanguage() !== document.documentElement.lang || isSentHere() || isUnderWay?.()) {
    showAll();
    void fetchApp();
    return;
  }
  fillUntilReady(fill);
  repeatEarlyPress();
  const start = () => {
    showAll();
    for (const sign of SIGNS_OF_A_PERSON) window.removeEventListener(sign, start, true);
    void fetchApp();
  };
  if (isTouched()) return start();
  for (const sign of SIGNS_OF_A_PERSON)
    window.addEventListener(sign, start, { capture: true, passive: true });
}
