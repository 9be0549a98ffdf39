/** Colours and type, as far as mail programs support them: light inline, dark by media query. */
export const LIGHT = {
  paper: '#F8F5EC',
  line: '#DCD5C3',
  ink: '#16261D',
  quiet: '#505C53',
  leaf: '#17573B',
  forest: '#123D2B',
  onForest: '#F8F5EC',
  onForestQuiet: '#BCCFBF',
  accent: '#F4B41A',
  accentEdge: '#A06F00',
  onAccent: '#14231A',
};

export const DARK = {
  paper: '#0E1712',
  line: '#2C3B32',
  ink: '#F2EEDF',
  quiet: '#AEBBAF',
  leaf: '#8FD0A6',
  forest: '#16402E',
};

/** System fonts, as mail programs do not load Ibarra Real Nova and Source Sans. */
export const SERIF = "Georgia, 'Times New Roman', serif";
export const SANS = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
