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
};

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
  const fields = {};
  const brandMark = make('span', { className: 'Brand', ariaHidden: 'true' });

  for (const name of ['number', 'expiry', 'cvc', 'country']) {
    const tag = name === 'country' ? 'select' : 'input';
    const input = make(tag, { id: name, name, className: 'Input', required: true, ...INPUTS[name] });
    if (name === 'country') input.autocomplete = 'country';
    inputs[name] = input;
    labels[name] = make('label', { htmlFor: name, className: 'Label' });
    errors[name] = make('p', { id: `${name}-error`, className: 'Error' });
    errors[name].setAttribute('role', 'alert');
    const box = make('div', { className: 'Box' }, input);
    if (name === 'number') box.append(brandMark);
    if (name === 'country') box.append(make('span', { className: 'Chevron', ariaHidden: 'true' }));
    const wide = name === 'number' || name === 'country';
    fields[name] = make(
      'div',
      { className: `Field${wide ? ' Field--wide' : ''}` },
      labels[name],
      box,
      errors[name],
    );
    element.append(fields[name]);
  }

  return {
    element,
    inputs,
    get countryHidden() {
      return fields.country.hidden;
    },
    /** @param chosen country to select; nothing keeps the customer's choice */
    speak(texts, countryNames, chosen) {
      element.setAttribute('aria-label', texts.form);
      for (const [name, label] of Object.entries(labels)) label.textContent = texts[name];
      inputs.expiry.placeholder = texts.expiryHint;
      const country = chosen ?? inputs.country.value;
      const options = countryNames.map(([value, textContent]) => make('option', { value, textContent }));
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
    hideCountry(hidden) {
      fields.country.hidden = hidden;
    },
    readOnly(locked) {
      for (const input of Object.values(inputs)) input.disabled = locked;
    },
  };
}
