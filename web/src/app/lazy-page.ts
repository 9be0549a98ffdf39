import type { i18n as I18n } from 'i18next';
import { createElement, lazy, type ComponentType, type ReactElement } from 'react';
import type { TextNamespace } from '../i18n/texts.ts';
import { loadChunk } from '../design/load-chunk.ts';

export interface LazyPage {
  /** Loads the page and its texts; afterwards it renders synchronously, as hydration needs. */
  preload: (i18n: I18n) => Promise<void>;
  render: () => ReactElement;
}

export function lazyPage(load: () => Promise<ComponentType>, texts: readonly TextNamespace[]): LazyPage {
  const Lazy = lazy(async () => ({ default: await loadChunk(load) }));
  let ready: ComponentType | undefined;
  return {
    preload: async (i18n) => {
      const [page] = await Promise.all([loadChunk(load), i18n.loadNamespaces(texts)]);
      ready = page;
    },
    render: () => createElement(ready ?? Lazy),
  };
}
