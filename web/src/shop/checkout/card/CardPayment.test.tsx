import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { lazy, Suspense } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { chooseCurrency } from '../../../api/currency.ts';
import { CONFIG, INTENT, PACKAGES, PACKAGES_IN_DOLLARS } from '../../../test/checkout.ts';
import { refusal } from '../../../test/fixtures.ts';
import { renderScreen } from '../../../test/render.tsx';
import { fakeApi } from '../../../test/server.ts';
import { fakeStripe } from '../../../test/stripe.ts';
import { changeDraft, currentDraft, reloadDraft } from '../../../order/purchase/draft.ts';
import { PlantTreesPage } from '../PlantTreesPage.tsx';

describe('CardPayment', () => {
  type Handlers = Parameters<typeof fakeApi>[0];

  /** The checkout of a grove; the order page is replaced by its token. */
  function Pages() {
    const token = useParams()['*']?.split('orders/')[1];
    return token ? <p>{`order ${token}`}</p> : <PlantTreesPage />;
  }

  const serve = (handlers: Handlers = {}) =>
    fakeApi({
      'GET /api/pricing/packages': () => ({ body: PACKAGES }),
      'GET /api/config': () => ({ body: CONFIG }),
      'POST /api/pricing/create-payment-intent': () => ({ body: INTENT }),
      ...handlers,
    });

  const open = () => renderScreen(<Pages />, { texts: ['checkout'], at: '/plant-trees' });

  const payButton = () =>
    screen.getByRole<HTMLButtonElement>('button', { name: /Plant 5 trees · COP.82,300/ });

  const type = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });

  async function ready(): Promise<void> {
    await screen.findByLabelText('Name');
    type('Name', 'Sofía Rueda');
    type('Email', 'sofia@correo.co');
    await waitFor(() => expect(payButton().disabled).toBe(false));
  }

  beforeEach(() => changeDraft({ packageType: 'grove' }));

  afterEach(() => {
    cleanup();
    chooseCurrency(undefined);
    sessionStorage.clear();
    reloadDraft();
  });

  test('reports a blocked script with a retry and the other payment method; Enter says that it has not loaded', async () => {
    serve();
    const stripe = fakeStripe();
    await open();
    await screen.findByLabelText('Name');
    type('Name', 'Sofía Rueda');
    type('Email', 'sofia@correo.co');
    fireEvent.keyDown(screen.getByLabelText('Email'), { key: 'Enter' });
    expect((await screen.findByRole('alert')).textContent).toBe(
      'The card form has not loaded yet. Nothing was charged. Please try again in a moment.',
    );
    expect(payButton().disabled).toBe(true);
    expect(screen.getByText('Still needed: the card details (the form is still loading).')).toBeTruthy();
    await stripe.script('error');
    await waitFor(() => expect(document.head.querySelector('script[src*="stripe"]')).toBeTruthy());
    await stripe.script('error');
    await screen.findByText(/The card form could not be loaded/);
    expect(screen.queryByText('Getting the card form ready')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Pay by bank transfer' }));
    await screen.findByText('Write this reference in the description');
    fireEvent.click(screen.getByRole('radio', { name: 'Credit Card' }));
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await stripe.script('load');
    await waitFor(() => expect(payButton().disabled).toBe(false));
  });

  test('Pay waits for name and email and says so; Enter before that lists what is required', async () => {
    serve();
    fakeStripe();
    await open();
    await screen.findByText('Still needed: your name and your email.');
    expect(payButton().disabled).toBe(true);
    const described = document.getElementById(payButton().getAttribute('aria-describedby')!);
    expect(described?.textContent).toBe('Still needed: your name and your email.');
    fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'Enter' });
    expect((await screen.findByRole('alert')).textContent).toBe('Please fill in all required fields');
    await ready();
    expect(described?.textContent).toBe('');
  });

  test('a payment leads to its order and clears the draft', async () => {
    const requests = serve();
    const { confirmed } = fakeStripe();
    await open();
    await ready();
    fireEvent.click(payButton());
    await screen.findByText(`order ${INTENT.orderToken}`);
    const sent = requests.find(({ key }) => key.startsWith('POST'))!;
    expect(sent.body).toEqual({
      trees: 5,
      packageType: 'grove',
      currency: 'COP',
      customerEmail: 'sofia@correo.co',
      customerName: 'Sofía Rueda',
      locale: 'en',
      quote: 'quote-1',
    });
    expect(sent.headers['idempotency-key']).toBeTruthy();
    expect(confirmed).toHaveLength(1);
    expect(currentDraft().attempt ?? currentDraft().packageType).toBeUndefined();
  });

  test('names the placed order until its page loads, and Back unlocks the checkout', async () => {
    serve();
    fakeStripe();
    const Late = lazy(() => new Promise<never>(() => undefined));
    function Router() {
      const token = useParams()['*']?.split('orders/')[1];
      return token ? <Late /> : <PlantTreesPage />;
    }
    let goBack: () => void = () => undefined;
    function BackButton() {
      const navigate = useNavigate();
      goBack = () => void navigate(-1);
      return null;
    }
    await renderScreen(
      <Suspense fallback={<p>waiting</p>}>
        <BackButton />
        <Router />
      </Suspense>,
      { texts: ['checkout'], at: '/plant-trees' },
    );
    await ready();
    fireEvent.click(payButton());
    await screen.findByText('Thank you. Your order is placed, and its page is opening.');
    expect(screen.queryByRole('radio', { name: 'Grove' })).toBeNull();
    act(() => goBack());
    expect(screen.getByRole('link', { name: 'Open your order' }).getAttribute('href')).toBe(
      `/orders/${INTENT.orderToken}`,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Plant more trees' }));
    expect(screen.getByRole('radio', { name: 'Grove' }).closest('fieldset')!.disabled).toBe(false);
  });

  test('asks to reload the page when the card form is missing', async () => {
    serve();
    fakeStripe({ withoutCard: true });
    await open();
    await ready();
    fireEvent.click(payButton());
    expect((await screen.findByRole('alert')).textContent).toBe(
      'The card form is missing. Nothing was charged. Reload the page and try again.',
    );
  });

  test.each([
    [
      'no answer',
      'lost' as const,
      ['We could not start the payment. Nothing was charged. Try again.', /We got no answer/],
    ],
    ['a proxy’s page', { status: 500 }, ['We could not start the payment. Nothing was charged. Try again.']],
    [
      'the payment provider away',
      refusal(502, 'payment-provider-failed'),
      ['We could not start the payment. Nothing was charged. Try again.'],
    ],
    [
      'a busy server',
      refusal(503, 'unavailable'),
      [/This is not available right now/, 'Nothing was charged.'],
    ],
    [
      'too many tries',
      { ...refusal(429, 'too-many-requests'), headers: { 'retry-after': '30' } },
      ['Too many attempts. Please wait a moment.', 'Nothing was charged. You can try again in 30 seconds.'],
    ],
  ])(
    '%s: what happened is said, what was typed stays, and the next press goes on',
    async (_what, reply, words) => {
      let answered = 0;
      const requests = serve({
        'POST /api/pricing/create-payment-intent': () => (answered++ === 0 ? reply : { body: INTENT }),
      });
      fakeStripe();
      await open();
      await ready();
      fireEvent.click(payButton());
      const box = await screen.findByRole('alert');
      for (const sentence of words) expect(within(box).getByText(sentence)).toBeTruthy();
      expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Sofía Rueda');
      fireEvent.click(payButton());
      await screen.findByText(`order ${INTENT.orderToken}`);
      const keys = requests
        .filter(({ key }) => key.startsWith('POST'))
        .map(({ headers }) => headers['idempotency-key']);
      expect(keys[1]).toBe(keys[0]);
    },
  );

  test('shows the provider’s own message, and ours for any other failure', async () => {
    serve();
    fakeStripe({
      confirm: [
        { error: { type: 'card_error', message: 'Your card has insufficient funds.' } },
        { error: { type: 'api_error', message: 'internal' } },
      ],
    });
    await open();
    await ready();
    fireEvent.click(payButton());
    await screen.findByText('Your card has insufficient funds.');
    expect(screen.getByRole('alert', { name: 'Payment error' })).toBeTruthy();
    fireEvent.click(payButton());
    await screen.findByText('The payment did not go through. Nothing was charged. Try again.');
  });

  const declined = () => ({
    confirm: [{ error: { type: 'card_error', message: 'Your card was declined.' } }],
  });

  test('a declined card says what to do next, with the switch to a transfer right there', async () => {
    serve();
    fakeStripe(declined());
    await open();
    await ready();
    fireEvent.click(payButton());
    const box = within(await screen.findByRole('alert', { name: 'Payment error' }));
    expect(box.getByText('Your card was declined.')).toBeTruthy();
    expect(box.getByText('Nothing was charged. Check the card details or try another card.')).toBeTruthy();
    fireEvent.click(box.getByRole('button', { name: 'Pay by bank transfer' }));
    await screen.findByText('Write this reference in the description');
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Bancolombia bank transfer' }));
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Sofía Rueda');
    expect(screen.queryByRole('alert', { name: 'Payment error' })).toBeNull();
  });

  test('a declined card offers no transfer while there is none', async () => {
    serve({ 'GET /api/pricing/packages': () => ({ body: PACKAGES_IN_DOLLARS }) });
    fakeStripe(declined());
    await open();
    await screen.findByLabelText('Name');
    type('Name', 'Sofía Rueda');
    type('Email', 'sofia@correo.co');
    const button = screen.getByRole<HTMLButtonElement>('button', { name: /Plant 5 trees/ });
    await waitFor(() => expect(button.disabled).toBe(false));
    fireEvent.click(button);
    await screen.findByText('Nothing was charged. Check the card details or try another card.');
    expect(screen.queryByRole('button', { name: 'Pay by bank transfer' })).toBeNull();
  });

  test('asks to confirm the new total of out-of-date prices, and charges it on the next press only', async () => {
    let asked = 0;
    const dearer = {
      ...PACKAGES,
      quote: 'quote-2',
      packages: PACKAGES.packages.map((one) => ({ ...one, amount: one.amount + 10_000 })),
    };
    const requests = serve({
      'GET /api/pricing/packages': () => ({ body: asked++ === 0 ? PACKAGES : dearer }),
      'POST /api/pricing/create-payment-intent': ({ body }) =>
        (body as { quote: string }).quote === 'quote-1' ? refusal(409, 'quote-expired') : { body: INTENT },
    });
    const { confirmed } = fakeStripe();
    await open();
    await ready();
    fireEvent.click(payButton());
    expect((await screen.findByText(/The total is now/)).textContent).toMatch(/COP.82,400/);
    expect(confirmed).toHaveLength(0);
    fireEvent.click(screen.getByRole('button', { name: /Plant 5 trees · COP.82,400/ }));
    await screen.findByText(`order ${INTENT.orderToken}`);
    expect(requests.filter(({ key }) => key.startsWith('POST'))).toHaveLength(2);
  });

  test('marks and focuses a field the server refuses', async () => {
    serve({
      'POST /api/pricing/create-payment-intent': () =>
        refusal(422, 'validation-failed', 'x', [{ path: 'customerEmail', message: 'Invalid' }]),
    });
    fakeStripe();
    await open();
    await ready();
    fireEvent.click(payButton());
    await screen.findByText('This address does not look right. Try name@mail.com');
    expect(document.activeElement).toBe(screen.getByLabelText('Email'));
  });

  test('reports an amount above the card limit before paying, and leads to the number', async () => {
    const custom = { packageType: 'custom', trees: 1, amount: 600_000, unitAmount: 600_000, savingAmount: 0 };
    const requests = serve({
      'GET /api/pricing/packages': () => ({
        body: {
          ...PACKAGES,
          currency: 'ARS',
          cardMaxAmount: 99_999_999,
          packages: [...PACKAGES.packages.filter((one) => one.packageType !== 'custom'), custom],
        },
      }),
    });
    fakeStripe();
    changeDraft({ packageType: 'custom', customTrees: '200' });
    await open();
    const limit =
      'One card payment can take at most ARS\u00a0999,999.99, which is 166 trees. Choose fewer trees, or pay by bank transfer.';
    const count = screen.getByLabelText('Number of trees');
    await waitFor(() => expect(count.getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getByText(limit.replace('\u00a0', ' '))).toBeTruthy();
    // The total of what cannot be paid stands nowhere but on its card.
    expect(screen.getAllByText('–')).toHaveLength(1);
    type('Name', 'Sofía Rueda');
    type('Email', 'sofia@correo.co');
    const pay = screen.getByRole<HTMLButtonElement>('button', { name: 'Plant trees' });
    await waitFor(() => expect(pay.disabled).toBe(false));
    fireEvent.click(pay);
    await waitFor(() => expect(document.activeElement).toBe(count));
    expect(screen.getByRole('alert').textContent).toBe(limit);
    expect(requests.some(({ key }) => key.startsWith('POST'))).toBe(false);
    type('Number of trees', '166');
    await screen.findByRole('button', { name: /Plant 166 trees/ });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(count.getAttribute('aria-invalid')).toBeNull();
  });

  test('describes a refused field that has no input', async () => {
    serve({
      'POST /api/pricing/create-payment-intent': () =>
        refusal(422, 'validation-failed', 'Please check the marked fields.', [
          { path: 'trees', type: 'above-card-limit', message: 'x' },
        ]),
    });
    fakeStripe();
    await open();
    await ready();
    fireEvent.click(payButton());
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Number of trees: This is more than one card payment can take in this currency. Choose fewer trees, or pay by bank transfer.Nothing was charged.',
    );
  });

  test('a wallet pays with its own name and address', async () => {
    const requests = serve();
    const stripe = fakeStripe({ wallets: { applePay: true } });
    await open();
    await screen.findByText('or type your card');
    await stripe.approve({
      billingDetails: { name: 'Ana Torres', email: 'ana@mail.test' },
      paymentFailed: () => undefined,
    });
    await screen.findByText(`order ${INTENT.orderToken}`);
    expect(requests.find(({ key }) => key.startsWith('POST'))!.body).toMatchObject({
      customerName: 'Ana Torres',
      customerEmail: 'ana@mail.test',
    });
  });

  test('tells the wallet when the payment fails', async () => {
    serve({ 'POST /api/pricing/create-payment-intent': () => ({ status: 500 }) });
    const stripe = fakeStripe({ wallets: { googlePay: true } });
    await open();
    await screen.findByText('or type your card');
    let reported: object | undefined;
    await stripe.approve({
      billingDetails: { email: 'ana@mail.test' },
      paymentFailed: (why: object) => (reported = why),
    });
    await screen.findByText('We could not start the payment. Nothing was charged. Try again.');
    expect(reported).toEqual({ reason: 'fail' });
  });

  test('below one tree the button says what to do and leads to the number', async () => {
    serve();
    fakeStripe();
    changeDraft({ packageType: 'custom', customTrees: '0', name: 'Sofía', email: 'sofia@correo.co' });
    await open();
    const pay = await screen.findByRole<HTMLButtonElement>('button', { name: 'Plant trees' });
    await waitFor(() => expect(pay.disabled).toBe(false));
    fireEvent.click(pay);
    expect((await screen.findByRole('alert')).textContent).toBe('Please enter at least 1 tree');
    expect(document.activeElement).toBe(screen.getByLabelText('Number of trees'));
  });

  test('a currency chosen elsewhere during a payment leaves the amount that is being paid', async () => {
    const requests = serve({
      'GET /api/pricing/packages': ({ url }) => ({
        body: url.includes('currency=USD') ? PACKAGES_IN_DOLLARS : PACKAGES,
      }),
    });
    let refuse: (answer: { error: { type: string; message: string } }) => void = () => undefined;
    fakeStripe({ confirm: [new Promise((resolve) => (refuse = resolve)) as never] });
    await open();
    await ready();
    fireEvent.click(payButton());
    await waitFor(() => expect(requests.some(({ key }) => key.startsWith('POST'))).toBe(true));
    act(() => chooseCurrency('USD'));
    expect(requests.some(({ url }) => url.includes('currency=USD'))).toBe(false);
    expect(screen.getByText(/Prices in Colombian pesos/)).toBeTruthy();
    await act(async () => refuse({ error: { type: 'card_error', message: 'Your card was declined.' } }));
    expect(await screen.findByRole('button', { name: /Plant 5 trees · USD.20\.00/ })).toBeTruthy();
  });

  test('locks the selection and the checkout while a payment is in progress', async () => {
    serve();
    fakeStripe({ confirm: [new Promise(() => undefined) as never] });
    await open();
    await ready();
    fireEvent.click(payButton());
    await screen.findByText('Confirming…');
    expect(screen.getByRole('radio', { name: 'Forest patch' }).closest('fieldset')!.disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Close the checkout' }).disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true);
  });
});
