import type { i18n as I18n } from 'i18next';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { routeOf } from './routes.ts';

const SIGNS_OF_A_CLICK = ['pointerover', 'touchstart', 'focusin'];
/** Safari has no requestIdleCallback. */
const IDLE_WITHIN_MS = 2_000;

/**
 * Loads pages before they are asked for, so that they open at once: those whose links are in view, not in the footer, when
 * the browser is idle, and any other as soon as somebody points at its link.
 */
export function PreloadPages(): null {
  const { i18n } = useTranslation();
  const { pathname } = useLocation();

  useEffect(() => {
    const onSign = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null;
      if (link) void preload(link, i18n);
    };
    for (const sign of SIGNS_OF_A_CLICK) document.addEventListener(sign, onSign, { passive: true });
    return () => {
      for (const sign of SIGNS_OF_A_CLICK) document.removeEventListener(sign, onSign);
    };
  }, [i18n]);

  useEffect(() => {
    if (isSlow()) return;
    let isOver = false;
    // One after the other, so that a click waits for no more than one of them.
    let last = Promise.resolve();
    const inView = new IntersectionObserver((seen) => {
      for (const { isIntersecting, target } of seen)
        if (isIntersecting)
          last = last.then(() => (isOver ? undefined : preload(target as HTMLAnchorElement, i18n)));
    });
    const cancel = whenIdle(() => {
      for (const link of document.querySelectorAll(':is(header, main) a')) inView.observe(link);
    });
    return () => {
      isOver = true;
      cancel();
      inView.disconnect();
    };
  }, [i18n, pathname]);

  return null;
}

async function preload(link: HTMLAnchorElement, i18n: I18n): Promise<void> {
  if (link.origin !== location.origin || link.pathname === location.pathname) return;
  if (!navigator.onLine) return;
  const { path, page } = routeOf(link.pathname);
  // A file or an address of the API.
  if (path === '*') return;
  // The click tries again, and shows the error.
  await page.preload(i18n).catch(() => undefined);
}

/** Where pages nobody asked for would hold up what somebody did: https://wicg.github.io/netinfo/ */
function isSlow(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || !(connection?.effectiveType ?? '4g').endsWith('4g');
}

/** @returns what cancels it */
function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, IDLE_WITHIN_MS);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work);
  return () => cancelIdleCallback(idle);
}
