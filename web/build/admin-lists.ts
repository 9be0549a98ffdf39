import { ADMIN_LISTS } from '@arboleda/contracts/lists.ts';
import type { Plugin } from 'vite';

/** Puts what the contracts' query schemas say of lists into the app as plain values, without the schemas. */
export const adminLists: Plugin = {
  name: 'admin-lists',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('/contracts/lists.ts')
      ? `export const ADMIN_LISTS = ${JSON.stringify(ADMIN_LISTS)};`
      : undefined,
};
