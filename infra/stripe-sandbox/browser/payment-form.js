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

export const FIELDS = Object.keys(INPUTS);

export function cardForm(document) {
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
export const likelyCountry = (browserLocale, lang) => {
  const region = /-([A-Z]{2})\b/.exec(browserLocale)?.[1];
  return region && CODES.split(' ').includes(region) ? region : lang === 'es' ? 'CO' : 'US';
};
