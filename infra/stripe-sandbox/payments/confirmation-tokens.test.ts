import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSandbox, type TestSandbox } from '../testing/sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => void (sandbox = await openSandbox()));
afterAll(() => sandbox.remove());

const CARD = {
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': '4242424242424242',
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': '34',
  return_url: 'https://shop.example/done',
};

test('a token of the browser lets the server confirm, once', async () => {
  const { stripe } = sandbox;
  const { body: token } = await sandbox.browser('POST', '/confirmation_tokens', CARD);
  expect(token.payment_method_preview.card).toMatchObject({ brand: 'visa', last4: '4242', exp_year: 2034 });
  expect(await stripe.confirmationTokens.retrieve(token.id)).toEqual(token);

  const confirm = async () => {
    const { id } = await stripe.paymentIntents.create({ amount: 2500, currency: 'usd' });
    return stripe.paymentIntents.confirm(id, { confirmation_token: token.id });
  };
  const paid = await confirm();
  expect(paid.status).toBe('succeeded');
  expect((await stripe.confirmationTokens.retrieve(token.id)).payment_intent).toBe(paid.id);
  await expect(confirm()).rejects.toThrow(/already been used/);
});

test('a token that does not exist confirms nothing', async () => {
  const { stripe } = sandbox;
  await expect(stripe.confirmationTokens.retrieve('ctoken_none')).rejects.toMatchObject({ statusCode: 404 });
  const { id } = await stripe.paymentIntents.create({ amount: 2500, currency: 'usd' });
  await expect(
    stripe.paymentIntents.confirm(id, { confirmation_token: 'ctoken_none' }),
  ).rejects.toMatchObject({
    code: 'resource_missing',
  });
});
