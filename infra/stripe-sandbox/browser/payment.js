/* global window, document, ResizeObserver, CSS, CSSStyleSheet, FontFace */
import { callApi } from './api.js';
import { brandOf, caretAfter, digitsOf, formatExpiry, groupNumber, problemsOf } from './card-number.js';
import { answerParent } from './parent.js';
import { cardForm, FIELDS, likelyCountry } from './payment-form.js';
import { textsFor } from './texts.js';

let key;
let texts = textsFor('en');
/** Fields whose problems are shown: those that were left, and all after a submit. */
const shown = new Set();

const form = cardForm(document);
document.body.append(form.element);
const { inputs } = form;

const values = () => Object.fromEntries(FIELDS.map((name) => [name, inputs[name].value]));
const problems = () => problemsOf(values(), new Date());

function showProblems() {
  const found = problems();
  for (const name of FIELDS) form.showError(name, shown.has(name) && found[name] ? texts[found[name]] : '');
}

function typed(name, event) {
  const input = inputs[name];
  const deleting = event.inputType?.startsWith('delete');
  const before = digitsOf(input.value.slice(0, input.selectionStart ?? input.value.length)).length;
  if (name === 'number') input.value = groupNumber(input.value);
  if (name === 'expiry') input.value = formatExpiry(input.value, deleting);
  const brand = brandOf(digitsOf(inputs.number.value));
  if (name === 'cvc') input.value = digitsOf(input.value).slice(0, brand.cvcLength);
  if (name !== 'country') {
    const padded = name === 'expiry' && digitsOf(input.value).length > before && before === 1 ? 2 : before;
    const caret = caretAfter(input.value, padded);
    input.setSelectionRange(caret, caret);
  }
  form.showBrand(brand, texts);
  // A complete but invalid number is reported at once, other problems when the field is left.
  if (name === 'number' && problems().number === 'invalid_number') shown.add('number');
  else if (!problems()[name]) shown.delete(name);
  showProblems();
  tell('change');
}

for (const name of FIELDS) {
  inputs[name].addEventListener('input', (event) => typed(name, event));
  inputs[name].addEventListener('blur', () => {
    if (inputs[name].value) shown.add(name);
    showProblems();
  });
}
form.element.addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.target !== inputs.country) tell('submit');
});

const SELECTOR = /^\.[A-Za-z]+(--[a-z]+)?(:{1,2}[a-z-]+)*$/;

/** Stripe's Appearance API, as far as a card form needs it: variables become custom properties, rules a style sheet. */
function applyAppearance({ variables = {}, rules = {} } = {}) {
  for (const [name, value] of Object.entries(variables)) {
    if (typeof value !== 'string' || !/^[A-Za-z0-9]+$/.test(name)) continue;
    if (name.startsWith('color') && !CSS.supports('color', value)) continue;
    document.documentElement.style.setProperty(`--${name}`, value);
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
}

/** The shop's fonts: [{ family, src, weight }]. A font that fails to load is skipped. */
function loadFonts(fonts = []) {
  for (const { family, src, ...descriptors } of fonts) {
    const face = new FontFace(family, src, descriptors);
    face.load().then(
      () => document.fonts.add(face),
      () => undefined,
    );
  }
}

function apply(settings) {
  const isFirst = key === undefined;
  key = settings.key;
  texts = textsFor(settings.locale, window.navigator.language);
  document.documentElement.lang = texts.lang;
  document.documentElement.style.colorScheme = settings.colorScheme;
  // Not on the body, whose edge overlaps its neighbours.
  form.element.style.backgroundColor = settings.background;
  document.title = texts.frame;
  applyAppearance(settings.appearance);
  if (isFirst) loadFonts(settings.fonts);
  form.speak(texts, isFirst ? likelyCountry(window.navigator.language, texts.lang) : inputs.country.value);
  form.showBrand(brandOf(digitsOf(inputs.number.value)), texts);
  showProblems();
}

function validate() {
  for (const name of FIELDS) shown.add(name);
  showProblems();
  const found = problems();
  const wrong = FIELDS.find((name) => found[name]);
  if (!wrong) return {};
  inputs[wrong].focus();
  return { error: { type: 'validation_error', code: found[wrong], message: texts[found[wrong]] } };
}

/** Cards are sent from the frame to the API, never through the shop's page. */
async function createPaymentMethod(billing) {
  const { number, expiry, cvc, country } = values();
  const date = digitsOf(expiry);
  const { body, error } = await callApi('', 'POST', '/payment_methods', {
    key,
    type: 'card',
    card: { number: digitsOf(number), exp_month: date.slice(0, 2), exp_year: `20${date.slice(2)}`, cvc },
    billing_details: { ...billing, address: { country, ...billing?.address } },
  });
  return error ? { error } : { paymentMethod: body };
}

const tell = answerParent({
  init(settings) {
    apply(settings);
    tell('ready');
  },
  update: apply,
  validate,
  createPaymentMethod,
});

new ResizeObserver(() =>
  tell('resize', { height: Math.ceil(document.body.getBoundingClientRect().height) }),
).observe(document.body);
