import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { APP_READY } from './ready.ts';

/**
 * Sets the document title and, after a navigation, scrolls to the top (or the anchor) and focuses the heading. The
 * first page of a visit keeps the browser's focus.
 */
export function usePage(title: string): void {
  const { hash, key, pathname, search } = useLocation();
  const navigation = useNavigationType();
  const shown = useRef<{ pathname: string; search: string }>(undefined);

  useEffect(() => {
    window.dispatchEvent(new Event(APP_READY));
  }, []);

  useEffect(() => {
    document.title = title;
  }, [title]);

  useEffect(() => {
    const before = shown.current;
    shown.current = { pathname, search };
    // Only search parameters changed, so it is the same page: scroll position and focus stay.
    if (before?.pathname === pathname && before.search !== search) return;
    const target = hash ? document.getElementById(hash.slice(1)) : null;
    if (target) target.scrollIntoView();
    if (key === 'default' || navigation === 'POP') return;
    if (!target) window.scrollTo({ top: 0, behavior: 'instant' });
    focusHeading(target ?? document);
  }, [hash, key, navigation, pathname, search]);
}

function focusHeading(place: ParentNode): void {
  const heading = place.querySelector<HTMLElement>('h1, h2');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
