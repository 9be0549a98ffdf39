/* global window, document, fetch */

/** The hosted payment page uses the same script and Payment Element as a shop. */
const { key, amount, currency, session, locale } = document.body.dataset;
const dark = window.matchMedia('(prefers-color-scheme: dark)').matches;
const stripe = window.Stripe(key, { locale });
const elements = stripe.elements({
  mode: 'payment',
  amount: Number(amount),
  currency,
  locale,
  appearance: dark
    ? {
        variables: {
          colorBackground: '#1c222a',
          colorText: '#f1f3ee',
          colorDanger: '#ff9bb0',
          colorPrimary: '#8cc4ee',
        },
      }
    : { variables: { colorText: '#1a2420' } },
});
elements.create('payment').mount('#card');

const form = document.querySelector('form');
const button = form.querySelector('button');
const problem = document.querySelector('#problem');

async function pay() {
  const { error: incomplete } = await elements.submit();
  if (incomplete) return '';
  const response = await fetch(`/c/pay/${session}/intent`, { method: 'POST' });
  const { clientSecret, error } = await response.json();
  if (error) return error;
  const result = await stripe.confirmPayment({
    elements,
    clientSecret,
    confirmParams: {
      payment_method_data: { billing_details: { email: form.email.value, name: form.holder.value } },
    },
    redirect: 'if_required',
  });
  if (result.error) return result.error.message;
  window.location.assign(`/c/pay/${session}/done`);
  return undefined;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (button.disabled) return;
  button.disabled = true;
  problem.textContent = '';
  const message = await pay().catch((error) => error.message);
  if (message === undefined) return;
  problem.textContent = message;
  button.disabled = false;
});
