/* global document */
import { openFrame } from './frame.js';

/** Shows the bank's challenge in a modal frame until it is answered. */
export function showChallenge({ base, url, texts }) {
  const before = document.activeElement;
  const others = [...document.body.children].filter((child) => !child.inert);
  return new Promise((resolve) => {
    const frame = openFrame({
      base,
      path: `${url.slice(base.length)}&lang=${texts.lang}`,
      title: texts.challengeTitle,
      onEvent: (event) => (event === 'answered' ? finish() : undefined),
      onLoadError: finish,
    });
    function finish() {
      frame.close();
      for (const child of others) child.inert = false;
      before?.focus?.();
      resolve();
    }
    Object.assign(frame.element.style, {
      position: 'fixed',
      inset: '0',
      width: '100%',
      height: '100%',
      zIndex: '2147483647',
      // The same as in the frame: browsers paint frames opaque when the colour schemes differ.
      colorScheme: 'light dark',
    });
    for (const child of others) child.inert = true;
    document.body.append(frame.element);
    frame.element.addEventListener('load', () => frame.element.focus());
  });
}
