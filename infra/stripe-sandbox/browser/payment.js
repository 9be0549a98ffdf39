/* global window, document, ResizeObserver */
import { applyAppearance, loadFonts } from './appearance.js';
import { brandOf, caretAfter, digitsOf, formatExpiry, groupNumber, problemsOf } from './card-number.js';
import { createConfirmationToken, createPaymentMethod } from './card-api.js';
import { countries, likelyCountry } from './countries.js';
import { cardForm } from './payment-form.js';
import { answerParent } from './port.js';
import { textsFor } from './texts.js';

const FIELDS = ['number', 'expiry', 'cvc', 'country'];

let settings = { options: {}, group: {} };
let texts = textsFor('en');
let appearance;
/** Fields whose problems are shown: those that were left, and all after a submit. */
const shown = new Set();

const form = cardForm(document);
document.body.append(form.element);
const { inputs } = form;

const values = () => Object.fromEntries(FIELDS.map((name) => [name, inputs[name].value]));
const problems = () =>
  problemsOf({ ...values(), country: form.countryHidden ? 'hidden' : values().country }, new Date());

function showProblems() {
  const found = problems();
  for (const name of FIELDS) form.showError(name, shown.has(name) && found[name] ? texts[found[name]] : '');
}

function changed() {
  const { number, expiry, cvc } = values();
  tell('change', {
    empty: !number && !expiry && !cvc,
    complete: Object.keys(problems()).length === 0,
    collapsed: false,
    value: { type: 'card' },
  });
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
  changed();
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
  if (event.key === 'Escape') tell('escape');
  if (event.key === 'Enter' && event.target !== inputs.country) tell('submit');
});
let focused = false;
document.addEventListener('focusin', () => {
  if (!focused) tell('focus');
  focused = true;
});
document.addEventListener('focusout', (event) => {
  if (event.relatedTarget) return;
  focused = false;
  tell('blur');
});

function apply(next) {
  const first = settings.key === undefined;
  settings = next;
  const { options, group } = next;
  texts = textsFor(group.locale, window.navigator.language);
  document.documentElement.lang = texts.lang;
  document.documentElement.style.colorScheme = next.colorScheme;
  // Not on the body, whose edge overlaps its neighbours.
  form.element.style.backgroundColor = next.background;
  document.title = texts.frame;
  appearance = applyAppearance(group.appearance, appearance);
  if (first) loadFonts(group.fonts);
  const wanted = options.defaultValues?.billingDetails?.address?.country;
  const { billingDetails: asked } = options.fields ?? {};
  const countryHidden =
    asked === 'never' || asked?.address === 'never' || asked?.address?.country === 'never';
  form.speak(
    texts,
    countries(texts.lang),
    first ? (wanted ?? likelyCountry(window.navigator.language, texts.lang)) : undefined,
  );
  form.hideCountry(countryHidden);
  form.readOnly(Boolean(options.readOnly));
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

/** Billing details from the shop override the country chosen here. */
const cardData = (billing) => {
  const { number, expiry, cvc, country } = values();
  const date = digitsOf(expiry);
  const defaults = settings.options.defaultValues?.billingDetails;
  const address = { ...(form.countryHidden ? {} : { country }), ...defaults?.address, ...billing?.address };
  return {
    type: 'card',
    card: { number: digitsOf(number), exp_month: date.slice(0, 2), exp_year: `20${date.slice(2)}`, cvc },
    billing_details: { ...defaults, ...billing, address },
  };
};

const tell = answerParent({
  init(next) {
    apply(next);
    tell('ready');
  },
  update: apply,
  focus: () => inputs.number.focus(),
  blur: () => document.activeElement?.blur(),
  clear() {
    for (const name of ['number', 'expiry', 'cvc']) inputs[name].value = '';
    shown.clear();
    showProblems();
    form.showBrand(brandOf(''), texts);
    changed();
  },
  validate,
  createPaymentMethod: ({ billing }) => createPaymentMethod(settings.key, cardData(billing)),
  createConfirmationToken: ({ billing, ...params }) =>
    createConfirmationToken(settings.key, { ...params, payment_method_data: cardData(billing) }),
});

new ResizeObserver(() =>
  tell('resize', { height: Math.ceil(document.body.getBoundingClientRect().height) }),
).observe(document.body);
