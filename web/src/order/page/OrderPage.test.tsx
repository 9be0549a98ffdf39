import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { chooseCurrency } from '../../api/currency.ts';
import { PACKAGES, PACKAGES_IN_DOLLARS } from '../../test/checkout.ts';
import { openOrderPage, plantedOrder, showOrder } from '../../test/order-page.tsx';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { standAt } from '../../test/today.ts';
import { changeDraft, currentDraft } from '../purchase/draft.ts';
import { OrderPage } from './OrderPage.tsx';

describe('OrderPage', () => {
  standAt('2026-12-12T18:00:00Z');

  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  test('a planted order shows worker, trees, place, payment and photos', async () => {
    fakeApi({ 'GET /api/track/{token}': () => ({ body: plantedOrder }) });
    await openOrderPage();
    expect(
      (
        await screen.findByRole('heading', {
          level: 1,
          name: (name) => name !== 'Your order' && name !== 'Tu pedido',
        })
      ).textContent,
    ).toBe('Your five trees are in the ground.');
    const steps = within(screen.getByRole('list', { name: 'What has happened' })).getAllByRole('listitem');
    expect(steps.map((step) => step.textContent)).toEqual([
      'Paid: doneCOP\u00a082,30028 November 2026',
      'Assigned to: doneMarleny Ospina30 November 2026',
      expect.stringContaining('Planted at: doneLa Carbonera12 December 2026'),
      'Photos: done2 photos12 December 2026',
      'Growth: still to comeMarch 2027First update, if you add it',
    ]);
    expect(screen.getByText('4.637214, -75.487031')).toBeTruthy();
    expect(screen.getByText('Card')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: /^Photo \d of 2/ })).toHaveLength(2);
  });

  test('loads the satellite map only on request', async () => {
    fakeApi({ 'GET /api/track/{token}': () => ({ body: plantedOrder }) });
    const { container } = await openOrderPage();
    const show = await screen.findByRole('button', { name: 'Show satellite map' });
    screen.getByText('Drawing, not this place');
    expect(container.querySelector('iframe')).toBeNull();
    fireEvent.click(show);
    expect(screen.queryByText('Drawing, not this place')).toBeNull();
    expect(container.querySelector('iframe')!.src).toBe(
      'https://maps.google.com/maps?q=4.637214%2C-75.487031&t=k&z=15&output=embed',
    );
  });

  test('remembers the choice of satellite pictures for the whole site, until it is withdrawn', async () => {
    fakeApi({ 'GET /api/track/{token}': () => ({ body: plantedOrder }) });
    await openOrderPage();
    fireEvent.click(await screen.findByRole('button', { name: 'Show satellite map' }));
    cleanup();
    const { container } = await openOrderPage();
    await waitFor(() => expect(container.querySelector('iframe')).not.toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Show the drawing' }));
    cleanup();
    await openOrderPage();
    await screen.findByRole('button', { name: 'Show satellite map' });
  });

  test('photos open large, and arrow keys move between them', async () => {
    fakeApi({ 'GET /api/track/{token}': () => ({ body: plantedOrder }) });
    await openOrderPage();
    fireEvent.click(await screen.findByRole('button', { name: /^Photo 1 of 2/ }));
    const box = screen.getByRole('dialog', { name: 'Photos from the field' });
    await within(box).findByText('1 of 2');
    fireEvent.click(within(box).getByRole('button', { name: 'Next photo' }));
    await within(box).findByText('2 of 2');
    fireEvent.keyDown(box.querySelector('.yarl__container')!, { key: 'ArrowRight' });
    await within(box).findByText('1 of 2');
    fireEvent.click(within(box).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('omits a photo that fails to load', async () => {
    fakeApi({ 'GET /api/track/{token}': () => ({ body: plantedOrder }) });
    await openOrderPage();
    const broken = within(await screen.findByRole('button', { name: /^Photo 2 of 2/ })).getByRole('img');
    fireEvent.error(broken);
    expect(screen.getAllByRole('button', { name: /^Photo/ })).toHaveLength(1);
  });

  test('waits for the order right after payment and then shows it', async () => {
    let asked = 0;
    fakeApi({
      'GET /api/track/{token}': () =>
        ++asked < 2
          ? { status: 404, body: { type: 'not-found', title: 'x' } }
          : { body: { ...plantedOrder, status: 'pending', photos: [], coordinates: undefined } },
    });
    await openOrderPage('?payment_intent=pi_1', 'es');
    expect(
      (
        await screen.findByRole('heading', {
          level: 1,
          name: (name) => name !== 'Your order' && name !== 'Tu pedido',
        })
      ).textContent,
    ).toBe('Estamos confirmando tu pago');
    await waitFor(() => expect(screen.getByText(/^Gracias, Sofía\. Pagaste COP\s82\.300\.$/)).toBeTruthy(), {
      timeout: 4000,
    });
    expect(screen.queryByText('Dónde están')).toBeNull();
  });

  test('thanks a buyer who has just paid, with the receipt, a way to share and the worker', async () => {
    changeDraft({ email: 'sofia@example.org' });
    fakeApi({
      'GET /api/track/{token}': () => ({
        body: { ...plantedOrder, status: 'assigned', photos: [], coordinates: undefined },
      }),
    });
    const { container } = await openOrderPage('?payment_intent=pi_1&redirect_status=succeeded');
    await screen.findByRole('heading', { level: 1, name: 'Thank you, Sofía. COP\u00a082,300 is paid.' });
    expect(screen.getByText('Your receipt is on its way to sofia@example.org.')).toBeTruthy();
    expect(screen.getByText(/^Marleny Ospina in Quindío will plant your trees\./)).toBeTruthy();
    const { href } = screen.getByRole<HTMLAnchorElement>('link', { name: 'Share on WhatsApp' });
    expect(new URL(href).searchParams.get('text')).toBe(
      `I’m having 5 native trees planted in Colombia. Follow them here: ${window.location.origin}/orders/${plantedOrder.token}`,
    );
    expect(container.querySelector('img[src*="Portrait"]')).toBeNull();
  });

  test('offers the device’s own way to share where there is one', async () => {
    const shared: ShareData[] = [];
    navigator.share = (data) => Promise.resolve(void shared.push(data!));
    try {
      fakeApi({
        'GET /api/track/{token}': () => ({ body: { ...plantedOrder, status: 'assigned', photos: [] } }),
      });
      await openOrderPage('?payment_intent=pi_1&redirect_status=succeeded');
      fireEvent.click(await screen.findByRole('button', { name: 'Share another way' }));
      expect(shared).toMatchObject([{ url: `${window.location.origin}/orders/${plantedOrder.token}` }]);
    } finally {
      Reflect.deleteProperty(navigator, 'share');
    }
  });

  test('thanks nobody who opens the link later', async () => {
    fakeApi({
      'GET /api/track/{token}': () => ({ body: { ...plantedOrder, status: 'assigned', photos: [] } }),
    });
    await openOrderPage();
    await screen.findByRole('heading', { level: 1, name: 'Marleny Ospina will plant your five trees.' });
    expect(screen.queryByRole('link', { name: 'Share on WhatsApp' })).toBeNull();
  });

  test('removes the bank’s parameters from the address', async () => {
    fakeApi({ 'GET /api/track/{token}': () => ({ status: 404, body: { type: 'not-found', title: 'x' } }) });
    function Address() {
      const { search } = useLocation();
      return <output>{search}</output>;
    }
    await renderScreen(
      <>
        <OrderPage />
        <Address />
      </>,
      {
        texts: ['order', 'growth', 'certificate'],
        at: `/orders/${plantedOrder.token}?payment_intent=pi_1&payment_intent_client_secret=s&redirect_status=succeeded&lang=en`,
        pattern: '/orders/:token',
      },
    );
    await screen.findByText('?lang=en');
    await screen.findByRole('heading', { level: 1, name: 'We are confirming your payment' });
  });

  test('after an unpaid return from the bank says that nothing was charged', async () => {
    fakeApi({ 'GET /api/track/{token}': () => ({ status: 404, body: { type: 'not-found', title: 'x' } }) });
    await openOrderPage('?redirect_status=failed');
    expect(
      (
        await screen.findByRole('heading', {
          level: 1,
          name: (name) => name !== 'Your order' && name !== 'Tu pedido',
        })
      ).textContent,
    ).toBe('The payment did not go through');
    expect(screen.getByRole('link', { name: 'Back to the payment' }).getAttribute('href')).toBe(
      '/plant-trees',
    );
  });

  test.each([
    ['en', 'Pay by bank transfer'],
    ['es', 'Pagar por transferencia'],
  ] as const)('an unpaid return from the bank offers a transfer: %s', async (language, name) => {
    fakeApi({ 'GET /api/track/{token}': () => ({ status: 404, body: { type: 'not-found', title: 'x' } }) });
    changeDraft({ packageType: 'grove', method: { kind: 'card' } });
    await openOrderPage('?redirect_status=failed', language);
    const link = await screen.findByRole('link', { name });
    expect(link.getAttribute('href')).toBe('/plant-trees');
    fireEvent.click(link);
    expect(currentDraft()).toMatchObject({
      packageType: 'grove',
      method: { kind: 'transfer', bank: 'bancolombia' },
    });
  });

  test('after a failed request says that the order is safe, and retries on demand', async () => {
    let works = false;
    fakeApi({
      'GET /api/track/{token}': () =>
        works ? { body: plantedOrder } : { status: 400, body: { type: 'malformed-request', title: 'x' } },
    });
    await openOrderPage();
    const again = await screen.findByRole('button', { name: 'Try again' });
    works = true;
    fireEvent.click(again);
    expect(await screen.findByText('Your five trees are in the ground.')).toBeTruthy();
  });

  const pending = {
    ...plantedOrder,
    status: 'pending',
    photos: [],
    coordinates: undefined,
    assignedWorker: undefined,
    plantingDate: undefined,
    method: { kind: 'transfer', bank: 'bancolombia' },
    paymentMethod: 'manual_bancolombia',
  };
  test('a waiting transfer shows when it will be verified, and promises nothing yet', async () => {
    await showOrder({ ...pending, manualPayment: { verificationStatus: 'pending', evidenceCount: 2 } });
    await screen.findByRole('heading', { name: 'We are looking for your transfer.' });
    screen.getByText('2 pictures');
    screen.getByText(/Did you send the wrong file\?/);
    screen.getByText(/Your order will be verified within 24-48 hours. Check your email for updates/);
    screen.getByText('To verify');
    screen.getByText('To verify in 24–48 hours');
    expect(screen.queryByText('Transaction')).toBeNull();
    expect(screen.queryByRole('heading', { name: 'See them grow' })).toBeNull();
    expect(document.querySelector('[aria-current=step]')).toBeNull();
  });

  test('a rejected transfer shows the reason and how to try again', async () => {
    await showOrder({
      ...pending,
      manualPayment: { verificationStatus: 'rejected', rejectionReason: 'Other amount' },
    });
    await screen.findByText('Reason: Other amount');
    expect(screen.getByRole('link', { name: 'Send it again' }).getAttribute('href')).toBe('/plant-trees');
    expect(screen.queryByRole('list', { name: 'What has happened' })).toBeNull();
  });

  test('speaks of one tree in every heading', async () => {
    await showOrder({ trees: 1 });
    await screen.findByRole('heading', { name: 'Where it is' });
    screen.getByRole('heading', { name: 'See it grow' });
  });

  test('shows a refund with its amount', async () => {
    await showOrder({ refundedAmount: 1_000_000 });
    await screen.findByText(/We refunded COP 10,000 of what you paid/);
    screen.getByText('Refunded');
  });

  test('shows a lost dispute with its amount', async () => {
    await showOrder({ lostAmount: 1_000_000, status: 'pending', withdrawn: true });
    await screen.findByText(/Your bank took back COP 10,000, so this order will not be planted/);
    screen.getByText('Taken back by your bank');
    screen.getByText('Taken back by the bank');
    screen.getByRole('heading', { name: 'Your bank took your money back.' });
    expect(screen.queryByText('Refunded')).toBeNull();
  });

  test('shows growth updates by date, with a link to buy them in the portal', async () => {
    await showOrder({});
    const choose = await screen.findByRole('link', { name: 'Choose Three-year story' });
    expect(choose.getAttribute('href')).toBe(`/customer-portal?growth=${plantedOrder._id}`);
    screen.getByText('Every June and December, December 2026 to December 2029');
  });

  test.each([
    ['the order’s currency', undefined, /^about COP.102,875$/],
    ['the chosen currency', 'EUR', /^about EUR.23\.00$/],
    ['no other currency when dollars are chosen', 'USD', undefined],
  ] as const)('growth updates are charged in dollars and explained in %s', async (_name, chosen, about) => {
    chooseCurrency(chosen);
    await showOrder({}, 'en', ({ url }) => ({
      body: url.includes('currency=EUR') ? { ...PACKAGES, currency: 'EUR', exchangeRate: 0.92 } : PACKAGES,
    }));
    const row = (await screen.findByRole('link', { name: 'Choose Three-year story' })).closest('li')!;
    expect(row.textContent).toContain('USD\u00a025.00');
    if (about) await within(row).findByText(about);
    else expect(within(row).queryByText(/^about/)).toBeNull();
    screen.getByText(
      about
        ? 'Growth updates are charged in US dollars (USD). Your bank converts them at its own rate.'
        : 'Growth updates are charged in US dollars (USD).',
    );
  });

  test('growth updates name no other currency whose rate is too old', async () => {
    const asked = Promise.withResolvers<void>();
    await showOrder({}, 'en', () => {
      asked.resolve();
      return { body: PACKAGES_IN_DOLLARS };
    });
    await asked.promise;
    expect(screen.queryByText(/^about/)).toBeNull();
  });

  test('reports an unknown link, and shows the order if it arrives later', async () => {
    let there = false;
    fakeApi({
      'GET /api/track/{token}': () =>
        there ? { body: plantedOrder } : { status: 404, body: { type: 'not-found', title: 'x' } },
    });
    await openOrderPage();
    await screen.findByRole('heading', { name: 'There is no order at this link' });
    there = true;
    await screen.findByText('Your five trees are in the ground.', {}, { timeout: 4000 });
  });

  test('offers an account with the address used for payment in this tab', async () => {
    changeDraft({ email: 'sofia@mail.test' });
    await showOrder({});
    await screen.findByText('Create an account with sofia@mail.test to find all your trees in one place.');
    changeDraft({ email: '' });
  });

  test.each([
    ['withdrawn', { withdrawn: true }],
    [
      'being withdrawn from',
      { withdrawal: { requestedAt: '2026-11-30T15:00:00Z', refundBy: '2026-12-31T04:59:59.999Z' } },
    ],
    ['rejected', { manualPayment: { verificationStatus: 'rejected', evidenceCount: 1 } }],
  ])('promises no photos of an order that is %s', async (_what, changes) => {
    await showOrder({ status: 'pending', photos: [], ...changes });
    await screen.findByText('A drawing: these trees will not be planted');
    expect(screen.queryByText('A drawing until the photos arrive')).toBeNull();
  });

  test('shows the drawing when the first photo does not load', async () => {
    await showOrder({});
    fireEvent.error(await screen.findByRole('img', { name: /^First photo of your order/ }));
    screen.getByText('A drawing until the photos arrive');
  });
});
