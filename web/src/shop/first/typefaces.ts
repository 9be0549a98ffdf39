/** Fonts of public first screens: the small files of design/fonts.css. */
export const SERIF = '500 1em "Ibarra Real Nova Variable"';
export const SERIF_ITALIC = 'italic 400 1em "Ibarra Real Nova Variable"';
export const SANS = '400 1em "Source Sans 3 Variable"';
