/* global window, document, URLSearchParams */
import { callApi } from './api.js';
import { answerParent } from './parent.js';
import { textsFor } from './texts.js';

/** The bank's page, in a frame over the shop's page. */
const query = new URLSearchParams(window.location.search);
const { id, secret, key } = document.body.dataset;
const texts = textsFor(query.get('lang'), window.navigator.language);
const tell = answerParent({});
document.documentElement.lang = texts.lang;
document.title = texts.challengeTitle;

const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const complete = make('button', { type: 'button', id: 'complete', textContent: texts.complete });
const fail = make('button', { type: 'button', id: 'fail', textContent: texts.fail });
const problem = make('p', { className: 'Error', hidden: true });
problem.setAttribute('role', 'alert');
const dialog = make(
  'div',
  {},
  make('h1', { id: 'title', textContent: texts.challengeTitle }),
  make('p', { id: 'text', textContent: texts.challengeText }),
  complete,
  fail,
  problem,
);
for (const [name, value] of Object.entries({
  role: 'dialog',
  'aria-modal': 'true',
  'aria-labelledby': 'title',
  'aria-describedby': 'text',
})) {
  dialog.setAttribute(name, value);
}
document.body.append(make('div', { className: 'Scrim' }), dialog);

async function answer(outcome) {
  complete.disabled = fail.disabled = true;
  const { error } = await callApi('', 'POST', `/payment_intents/${id}/authenticate`, {
    key,
    client_secret: secret,
    outcome,
  });
  // Answered in another tab: the page that asked will see the result.
  if (error && error.code !== 'payment_intent_unexpected_state') {
    problem.textContent = error.message;
    problem.hidden = false;
    complete.disabled = fail.disabled = false;
    return;
  }
  tell('answered');
}

complete.addEventListener('click', () => answer('succeeded'));
fail.addEventListener('click', () => answer('failed'));
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !fail.disabled) void answer('failed');
  if (event.key !== 'Tab') return;
  // Keeps the focus on the two buttons, because the page behind is inert.
  event.preventDefault();
  (document.activeElement === complete ? fail : complete).focus();
});
complete.focus();
window.addEventListener('focus', () => {
  if (document.activeElement === document.body) complete.focus();
});
