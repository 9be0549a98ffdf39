import { withoutInvisible } from '@arboleda/contracts/invisible.ts';

/** Typed or pasted text without invisible and control characters, which cannot be stored. */
export const typedText = (typed: string): string =>
  withoutInvisible(typed)
    .replace(/[\t\n\r]/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
