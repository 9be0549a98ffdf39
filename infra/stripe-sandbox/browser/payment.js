/* global window, document, ResizeObserver, CSS, CSSStyleSheet, FontFace */
import { callApi } from './api.js';
import { brandOf, caretAfter, digitsOf, formatExpiry, groupNumber, problemsOf } from './card-number.js';
import { answerParent } from './parent.js';
import { textsFor } from './texts.js';

/** Markup of the card form: created once, translated when the language changes. */

const INPUTS = {
  number: {
    autocomplete: 'cc-number',
    inputMode: 'numeric',
    placeholder: '1234 1234 1234 1234',
    maxLength: 24,
  },
  expiry: { autocomplete: 'cc-exp', inputMode: 'numeric', maxLength: 9 },
  cvc: { autocomplete: 'cc-csc', inputMode: 'numeric', maxLength: 4 },
  country: { autocomplete: 'country' },
};

const FIELDS = Object.keys(INPUTS);

function cardForm(document) {
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const element = make('form', { noValidate: true });
  const inputs = {};
  const labels = {};
  const errors = {};
  const brandMark = make('span', { className: 'Brand', ariaHidden: 'true' });

  for (const name of FIELDS) {
    const tag = name === 'country' ? 'select' : 'input';
    const input = make(tag, { id: name, name, className: 'Input', required: true, ...INPUTS[name] });
    inputs[name] = input;
    labels[name] = make('label', { htmlFor: name, className: 'Label' });
    errors[name] = make('p', { id: `${name}-error`, className: 'Error' });
    errors[name].setAttribute('role', 'alert');
    const box = make('div', { className: 'Box' }, input);
    if (name === 'number') box.append(brandMark);
    if (name === 'country') box.append(make('span', { className: 'Chevron', ariaHidden: 'true' }));
    const isWide = name === 'number' || name === 'country';
    const className = `Field${isWide ? ' Field--wide' : ''}`;
    element.append(make('div', { className }, labels[name], box, errors[name]));
  }

  return {
    element,
    inputs,
    /** @param country to select */
    speak(texts, country) {
      element.setAttribute('aria-label', texts.form);
      for (const [name, label] of Object.entries(labels)) label.textContent = texts[name];
      inputs.expiry.placeholder = texts.expiryHint;
      const options = countries(texts.lang).map(([value, textContent]) =>
        make('option', { value, textContent }),
      );
      inputs.country.replaceChildren(...options);
      inputs.country.value = country;
    },
    showError(name, message) {
      const { classList } = inputs[name];
      classList.toggle('Input--invalid', message !== '');
      if (errors[name].textContent !== message) errors[name].textContent = message;
      if (message) {
        inputs[name].setAttribute('aria-invalid', 'true');
        inputs[name].setAttribute('aria-describedby', `${name}-error`);
      } else {
        inputs[name].removeAttribute('aria-invalid');
        inputs[name].removeAttribute('aria-describedby');
      }
    },
    showBrand(brand, texts) {
      brandMark.textContent = brand.name === 'unknown' ? '' : brand.name;
      inputs.cvc.placeholder = brand.cvcLength === 4 ? texts.cvcHintAmex : texts.cvcHint;
    },
  };
}

const CODES =
  'AD AE AG AI AL AM AO AR AT AU AW AZ BA BB BD BE BG BH BI BJ BM BN BO BQ BR BS BT BW BY BZ CA CD CG CH CI CL CM CN CO CR CV CW CY CZ DE DJ DK DM DO DZ EC EE EG ES ET FI FJ FO FR GA GB GD GE GF GG GH GI GL GM GN GP GR GT GY HK HN HR HT HU ID IE IL IM IN IS IT JE JM JO JP KE KG KH KI KM KN KR KW KY KZ LA LB LC LI LK LR LS LT LU LV MA MC MD ME MG MK ML MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NZ OM PA PE PF PG PH PK PL PR PS PT PY QA RE RO RS RW SA SB SC SE SG SI SK SL SM SN SR ST SV SZ TC TD TG TH TJ TM TN TO TR TT TW TZ UA UG US UY UZ VA VC VE VG VN VU WS XK ZA ZM ZW';

/** Pairs of [code, name], sorted by name in the language. */
function countries(lang) {
  const names = new Intl.DisplayNames([lang], { type: 'region' });
  const order = new Intl.Collator(lang);
  return CODES.split(' ')
    .map((code) => [code, names.of(code)])
    .sort(([, a], [, b]) => order.compare(a, b));
}

/** Region of the browser's locale, or the language's most likely one. */
const likelyCountry = (browserLocale, lang) => {
  const region = /-([A-Z]{2})\b/.exec(browserLocale)?.[1];
  return region && CODES.split(' ').includes(region) ? region : lang === 'es' ? 'CO' : 'US';
};

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
