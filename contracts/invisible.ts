/**
 * Marks that nobody sees, some of which turn the rest of a line round. Joiners and variants stay: names in Persian,
 * Hindi or with an emoji need them.
 */
const INVISIBLE = /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');
