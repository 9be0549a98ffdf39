/** https://docs.stripe.com/testing#cards: a card that is always accepted. */
const TEST_CARD = 'pm_card_visa';

/**
 * Confirms payment intents as a buyer's browser does, with the publishable key and the client secret. An intent is
 * paid at most once.
 * @throws Error when the card was declined
 */
export function cardPayer(options: {
  apiUrl: string;
  publishableKey: string;
  returnUrl: string;
  signal: AbortSignal;
}) {
  const { apiUrl, publishableKey, returnUrl, signal } = options;
  const call = async (path: string, method: 'GET' | 'POST', parameters: Record<string, string>) => {
    const form = new URLSearchParams({ ...parameters, key: publishableKey });
    const url = new URL(`/v1/payment_intents/${path}${method === 'GET' ? `?${form}` : ''}`, apiUrl);
    const response = await fetch(url, { method, signal, ...(method === 'POST' && { body: form }) });
    const intent = (await response.json()) as { status?: string; error?: { message: string } };
    if (!response.ok) throw new Error(`the card was not accepted: ${intent.error?.message}`);
    return intent.status;
  };
  return async (clientSecret: string): Promise<void> => {
    const id = clientSecret.split('_secret_')[0]!;
    if ((await call(id, 'GET', { client_secret: clientSecret })) === 'succeeded') return;
    const status = await call(`${id}/confirm`, 'POST', {
      client_secret: clientSecret,
      payment_method: TEST_CARD,
      return_url: returnUrl,
    });
    if (status !== 'succeeded') throw new Error(`the demo's payment is ${status}`);
  };
}
