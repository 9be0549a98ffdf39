import { useEffect } from 'react';

const ADDRESS = '/worker.webmanifest';

/** Links the portal's own manifest, so that installing adds the portal and not the shop. */
export function useOwnManifest(): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
    if (!link) return;
    const before = link.getAttribute('href') ?? '';
    link.setAttribute('href', ADDRESS);
    return () => link.setAttribute('href', before);
  }, []);
}
