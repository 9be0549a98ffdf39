import type { Language } from '@arboleda/contracts/roles.ts';

/** Public pages that the build prerenders in each language; everything else is the empty shell of the app. */
const PRERENDERED: Record<string, string> = { '/': 'index', '/plant-trees': 'plant-trees' };

/** Endings of files: a missing one is missing, and no page. */
const FILE_ENDINGS =
  /\.(js|mjs|css|map|json|txt|xml|svg|png|jpe?g|gif|webp|avif|ico|woff2?|webmanifest|br|gz)$/i;

export const isFilePath = (path: string): boolean => path.startsWith('/assets/') || FILE_ENDINGS.test(path);

/** The document of a page address: the app itself decides what an unknown one shows. */
export const pageFile = (path: string, language: Language): string =>
  `/${PRERENDERED[path] ?? 'app'}.${language}.html`;
