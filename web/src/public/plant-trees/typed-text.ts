import { withoutInvisible } from '@arboleda/contracts/invisible.ts';

/** What was typed or pasted, without what nobody can see; control characters cannot be stored. */
export const typedText = (typed: string): string =>
  withoutInvisible(typed)
    .replace(/[\t\n\r]/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
