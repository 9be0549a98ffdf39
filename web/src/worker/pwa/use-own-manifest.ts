import { useEffect } from 'react';

const ADDRESS = '/worker.webmanifest';

/** What is put on the phone's home screen from here is the worker portal, not the shop. */
export function useOwnManifest(): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
    if (!link) return;
    const before = link.getAttribute('href') ?? '';
    link.setAttribute('href', ADDRESS);
    return () => link.setAttribute('href', before);
  }, []);
}
