/* global CSS, CSSStyleSheet, document, FontFace */

const NIGHT = {
  colorPrimary: '#85d996',
  colorBackground: '#30313d',
  colorText: '#ffffff',
  colorTextSecondary: '#c9ccd6',
  colorTextPlaceholder: '#b4b6bf',
  colorDanger: '#fe87a1',
  inputColorBorder: '#8a8c99',
};
const PROPERTY_OF = {
  color: /^(color|icon|label.*Color|input.*Color|accessible)/,
};
const SELECTOR = /^\.[A-Za-z]+(--[a-z]+)?(:{1,2}[a-z-]+)*$/;

/** Stripe's Appearance API, as far as a card form needs it: variables become custom properties, rules a style sheet. */
export function applyAppearance({ theme, variables = {}, rules = {} } = {}, previous) {
  const root = document.documentElement;
  for (const name of previous ?? []) root.style.removeProperty(name);
  const set = [];
  for (const [name, value] of Object.entries({ ...(theme === 'night' ? NIGHT : {}), ...variables })) {
    if (typeof value !== 'string' || !/^[A-Za-z0-9]+$/.test(name)) continue;
    if (PROPERTY_OF.color.test(name) && !CSS.supports('color', value)) continue;
    root.style.setProperty(`--${name}`, value);
    set.push(`--${name}`);
  }
  const sheet = new CSSStyleSheet();
  for (const [selector, declarations] of Object.entries(rules)) {
    if (!SELECTOR.test(selector)) continue;
    const text = Object.entries(declarations)
      .map(([property, value]) => [property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), value])
      .filter(([property, value]) => CSS.supports(property, value))
      .map(([property, value]) => `${property}: ${value};`)
      .join(' ');
    sheet.insertRule(`${selector} { ${text} }`);
  }
  document.adoptedStyleSheets = [sheet];
  return set;
}

/** The shop's fonts: [{ family, src, weight, style }]. A font that fails to load is skipped. */
export function loadFonts(fonts = []) {
  for (const { family, src, cssSrc: _cssSrc, ...descriptors } of fonts) {
    if (!family || !src) continue;
    const face = new FontFace(family, src, descriptors);
    face.load().then(
      () => document.fonts.add(face),
      () => undefined,
    );
  }
}
