/**
 * Invisible marks, some of which reverse the rest of a line. Joiners and variation selectors stay: Persian and Hindi
 * names and emoji need them.
 */
const INVISIBLE = /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');
