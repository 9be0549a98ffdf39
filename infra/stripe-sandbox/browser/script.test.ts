import { join } from 'node:path';
import vm from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { sandboxScript } from './script.ts';
import { textsFor, translated } from './texts.js';

/** What a page would have after loading the script. */
async function load(src: string) {
  const window: Record<string, any> = { navigator: { language: 'en' } }; // eslint-disable-line @typescript-eslint/no-explicit-any
  const document = { currentScript: { src } };
  const script = await sandboxScript(join(import.meta.dirname, 'script'));
  vm.runInNewContext(script, { window, document, URL, console });
  return window.Stripe;
}

describe('the script', () => {
  test('defines Stripe at once, of the version in its address', async () => {
    expect((await load('http://127.0.0.1:1/endive/stripe.js')).version).toBe('endive');
    expect((await load('http://127.0.0.1:1/v3/')).version).toBe(3);
  });

  test('makes what react-stripe-js takes for Stripe', async () => {
    const stripe = (await load('http://127.0.0.1:1/v3/'))('pk_test_x');
    for (const name of [
      'elements',
      'createToken',
      'createPaymentMethod',
      'confirmCardPayment',
      'confirmPayment',
      'retrievePaymentIntent',
      'handleNextAction',
      'createConfirmationToken',
      'registerAppInfo',
      '_registerWrapper',
    ]) /* prettier-ignore */ {
      expect(typeof stripe[name]).toBe('function');
    }
  });

  test('tells a shop of its mistakes as Stripe.js does', async () => {
    const Stripe = await load('http://127.0.0.1:1/v3/');
    expect(() => Stripe('sk_test_x')).toThrow(/secret key/);
    expect(() => Stripe()).toThrow(/apiKey/);
    const stripe = Stripe('pk_test_x');
    expect(() => stripe.elements({ mode: 'payment', amount: 0, currency: 'usd' })).toThrow(/amount/);
    expect(() => stripe.elements({ mode: 'payment', amount: 100, currency: 'USD' })).toThrow(/currency/);
    const elements = stripe.elements({ mode: 'payment', amount: 100, currency: 'usd' });
    elements.create('payment');
    expect(() => elements.create('payment')).toThrow(/Can only create one/);
    expect(elements.getElement('payment')).not.toBeNull();
    await expect(stripe.confirmPayment({ elements, redirect: 'if_required' })).rejects.toThrow(
      /clientSecret/,
    );
    await expect(stripe.confirmPayment({ elements, clientSecret: 'pi_1_secret_1' })).rejects.toThrow(
      /return_url/,
    );
  });
});

describe('its texts', () => {
  test('are there in both languages', () => {
    const [en, es] = [textsFor('en'), textsFor('es-CO')];
    expect(es.lang).toBe('es');
    expect(Object.keys(en).filter((key) => !es[key])).toEqual([]);
    expect(textsFor('auto', 'es-MX').lang).toBe('es');
    expect(textsFor('fr').lang).toBe('en');
  });

  test('an error of the API is said in the language of the page', () => {
    const error = {
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    };
    expect(translated(error, textsFor('es')).message).toBe('Tu tarjeta no tiene fondos suficientes.');
    expect(translated(error, textsFor('en'))).toBe(error);
    expect(translated({ message: 'Other' }, textsFor('es')).message).toBe('Other');
  });
});
