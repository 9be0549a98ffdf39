import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { chooseCurrency } from '../../api/currency.ts';
import { keepToken } from '../../session/token-store.ts';
import { CUSTOMER, refusal } from '../../testing/fixtures.ts';
import { unzipSync } from 'fflate';
import { renderScreen } from '../../testing/render.tsx';
import { PACKAGES, PACKAGES_IN_DOLLARS } from '../../testing/checkout.ts';
import { fakeApi } from '../../testing/server.ts';
import { changeDraft, currentDraft } from '../plant-trees/draft.ts';
import { albumsOf } from './Album.tsx';
import { OrderPage } from './OrderPage.tsx';
import { hasReceipt, isUnderWay, moneyStateOf } from './money-state.ts';
import { nextVisit, stepsOf } from './OrderTimeline.tsx';
import { useLocation } from 'react-router-dom';

describe('OrderPage', () => {
  const order = {
    _id: 'a'.repeat(18) + '7f3a9c',
    shortId: '7F3A9C',
    token: 'q7VdExampleTokenT2mXyz',
    status: 'planted',
    trees: 5,
    packageType: 'grove',
    amount: 8_230_000,
    currency: 'COP',
    customerName: 'Sofía',
    language: 'en',
    receiptNumber: '2026-000123',
    createdAt: '2026-11-28T15:00:00Z',
    assignedDate: '2026-11-30T15:00:00Z',
    plantingDate: '2026-12-12T14:40:00Z',
    assignedWorker: { name: 'Marleny Ospina', region: 'Quindío' },
    location: 'La Carbonera, Salento, Quindío',
    coordinates: { latitude: 4.637214, longitude: -75.487031 },
    method: { kind: 'card' },
    paymentMethod: 'stripe',
    photos: ['one.jpg', 'two.jpg'].map((filename) => ({
      filename,
      width: 1600,
      height: 1200,
      takenAt: '2026-12-12T14:40:00Z',
      uploadedAt: '2026-12-12T16:00:00Z',
    })),
    timeline: [],
  };

  const open = (query = '', language: 'en' | 'es' = 'en') =>
    renderScreen(<OrderPage />, {
      texts: ['order', 'growth', 'certificate'],
      language,
      at: `/orders/${order.token}${query}`,
      pattern: '/orders/:token',
    });

  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  test('a planted order shows worker, trees, place, payment and photos', async () => {
    fakeApi({ 'GET /api/track/{token}': () => ({ body: order }) });
    await open();
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
      'Paid: doneCOP\u00a082,300.0028 November 2026',
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
    fakeApi({ 'GET /api/track/{token}': () => ({ body: order }) });
    const { container } = await open();
    const show = await screen.findByRole('button', { name: 'Show satellite map' });
    screen.getByText('Drawing, not this place');
    expect(container.querySelector('iframe')).toBeNull();
    fireEvent.click(show);
    expect(screen.queryByText('Drawing, not this place')).toBeNull();
    expect(container.querySelector('iframe')!.src).toBe(
      'https://maps.google.com/maps?q=4.637214%2C-75.487031&t=k&z=15&output=embed',
    );
  });

  test('remembers the wish for satellite pictures for the whole site, until it is withdrawn', async () => {
    fakeApi({ 'GET /api/track/{token}': () => ({ body: order }) });
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Show satellite map' }));
    cleanup();
    const { container } = await open();
    await waitFor(() => expect(container.querySelector('iframe')).not.toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Show the drawing' }));
    cleanup();
    await open();
    await screen.findByRole('button', { name: 'Show satellite map' });
  });

  test('photos open large, and arrow keys move between them', async () => {
    fakeApi({ 'GET /api/track/{token}': () => ({ body: order }) });
    await open();
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

  describe('downloads', () => {
    const saved: { name: string; file: Blob }[] = [];
    const clickLink = HTMLAnchorElement.prototype.click;
    beforeEach(() => {
      let file: Blob;
      saved.length = 0;
      URL.createObjectURL = (given) => ((file = given as Blob), 'blob:photo');
      HTMLAnchorElement.prototype.click = function () {
        saved.push({ name: this.download, file });
      };
    });
    afterEach(() => {
      HTMLAnchorElement.prototype.click = clickLink;
    });
    const photo = ({ url }: { url: string }) => ({ body: new Blob([url], { type: 'image/jpeg' }) });

    test('one photo as JPEG in its largest size, from its full view', async () => {
      let works = false;
      const requests = fakeApi({
        'GET /api/track/{token}': () => ({ body: order }),
        'GET /api/photos/{filename}': (request) => (works ? photo(request) : 'lost'),
      });
      await open();
      fireEvent.click(await screen.findByRole('button', { name: /^Photo 2 of 2/ }));
      const get = await screen.findByRole('button', { name: 'Download this photo' });
      fireEvent.click(get);
      await screen.findByText('The photo could not be downloaded. Try again.');
      works = true;
      fireEvent.click(get);
      await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['arboleda-7F3A9C-02.jpg']));
      const { url, headers } = requests.at(-1)!;
      expect(url).toBe('/api/photos/two.jpg?w=1600');
      expect(headers.accept).toBe('image/jpeg');
    });

    test('all photos in one zip file, without one that was hidden a moment ago', async () => {
      fakeApi({
        'GET /api/track/{token}': () => ({
          body: {
            ...order,
            photos: ['one.jpg', 'gone.jpg', 'two.jpg'].map((filename) => ({ ...order.photos[0], filename })),
          },
        }),
        'GET /api/photos/{filename}': (request) =>
          request.url.includes('gone') ? refusal(404, 'not-found') : photo(request),
      });
      await open();
      fireEvent.click(await screen.findByRole('button', { name: 'Download all 3 photos' }));
      await screen.findByText('The photos are in your downloads.');
      const [{ name, file }] = saved as [(typeof saved)[number]];
      expect(name).toBe('arboleda-7F3A9C.zip');
      const photos = unzipSync(new Uint8Array(await file.arrayBuffer()));
      expect(Object.entries(photos).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)])).toEqual([
        ['arboleda-7F3A9C-01.jpg', '/api/photos/one.jpg?w=1600'],
        ['arboleda-7F3A9C-03.jpg', '/api/photos/two.jpg?w=1600'],
      ]);
    });

    test('nothing of an album of which a photo did not come', async () => {
      fakeApi({
        'GET /api/track/{token}': () => ({ body: order }),
        'GET /api/photos/{filename}': (request) => (request.url.includes('two') ? 'lost' : photo(request)),
      });
      await open('', 'es');
      fireEvent.click(await screen.findByRole('button', { name: 'Descargar las 2 fotos' }));
      await screen.findByText('No pudimos traer todas las fotos. Revisa la conexión e intenta de nuevo.');
      expect(saved).toEqual([]);
    });
  });

  test('omits a photo that fails to load', async () => {
    fakeApi({ 'GET /api/track/{token}': () => ({ body: order }) });
    await open();
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
          : { body: { ...order, status: 'pending', photos: [], coordinates: undefined } },
    });
    await open('?payment_intent=pi_1', 'es');
    expect(
      (
        await screen.findByRole('heading', {
          level: 1,
          name: (name) => name !== 'Your order' && name !== 'Tu pedido',
        })
      ).textContent,
    ).toBe('Estamos confirmando tu pago');
    await waitFor(
      () => expect(screen.getByText(/^Gracias, Sofía\. Pagaste COP\s82\.300,00\.$/)).toBeTruthy(),
      {
        timeout: 4000,
      },
    );
    expect(screen.queryByText('Dónde están')).toBeNull();
  });

  test('thanks a buyer who has just paid, with the receipt, a way to share and the worker', async () => {
    changeDraft({ email: 'sofia@example.org' });
    fakeApi({
      'GET /api/track/{token}': () => ({
        body: { ...order, status: 'assigned', photos: [], coordinates: undefined },
      }),
    });
    const { container } = await open('?payment_intent=pi_1&redirect_status=succeeded');
    await screen.findByRole('heading', { level: 1, name: 'Thank you, Sofía. COP\u00a082,300.00 is paid.' });
    expect(screen.getByText('Your receipt is on its way to sofia@example.org.')).toBeTruthy();
    expect(screen.getByText(/^Marleny Ospina in Quindío will plant your trees\./)).toBeTruthy();
    const { href } = screen.getByRole<HTMLAnchorElement>('link', { name: 'Share on WhatsApp' });
    expect(new URL(href).searchParams.get('text')).toBe(
      `I’m having 5 native trees planted in Colombia. Follow them here: ${window.location.origin}/orders/${order.token}`,
    );
    expect(container.querySelector('img[src*="Portrait"]')).toBeNull();
  });

  test('offers the device’s own way to share where there is one', async () => {
    const shared: ShareData[] = [];
    navigator.share = (data) => Promise.resolve(void shared.push(data!));
    try {
      fakeApi({ 'GET /api/track/{token}': () => ({ body: { ...order, status: 'assigned', photos: [] } }) });
      await open('?payment_intent=pi_1&redirect_status=succeeded');
      fireEvent.click(await screen.findByRole('button', { name: 'Share another way' }));
      expect(shared).toMatchObject([{ url: `${window.location.origin}/orders/${order.token}` }]);
    } finally {
      Reflect.deleteProperty(navigator, 'share');
    }
  });

  test('thanks nobody who opens the link later', async () => {
    fakeApi({ 'GET /api/track/{token}': () => ({ body: { ...order, status: 'assigned', photos: [] } }) });
    await open();
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
        at: `/orders/${order.token}?payment_intent=pi_1&payment_intent_client_secret=s&redirect_status=succeeded&lang=en`,
        pattern: '/orders/:token',
      },
    );
    await screen.findByText('?lang=en');
    await screen.findByRole('heading', { level: 1, name: 'We are confirming your payment' });
  });

  test('after an unpaid return from the bank says that nothing was charged', async () => {
    fakeApi({ 'GET /api/track/{token}': () => ({ status: 404, body: { type: 'not-found', title: 'x' } }) });
    await open('?redirect_status=failed');
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
    await open('?redirect_status=failed', language);
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
        works ? { body: order } : { status: 400, body: { type: 'malformed-request', title: 'x' } },
    });
    await open();
    const again = await screen.findByRole('button', { name: 'Try again' });
    works = true;
    fireEvent.click(again);
    expect(await screen.findByText('Your five trees are in the ground.')).toBeTruthy();
  });

  const CONFIG = {
    photoPackages: [{ photoPackageType: 'three_year', priceId: 'price_t', amount: 2500, currency: 'USD' }],
  };

  const pending = {
    ...order,
    status: 'pending',
    photos: [],
    coordinates: undefined,
    assignedWorker: undefined,
    plantingDate: undefined,
    method: { kind: 'transfer', bank: 'bancolombia' },
    paymentMethod: 'manual_bancolombia',
  };

  const show = (
    changes: object,
    language: 'en' | 'es' = 'en',
    packagePrices: (request: { url: string }) => { body: object } = () => ({ body: PACKAGES_IN_DOLLARS }),
  ) => {
    fakeApi({
      'GET /api/pricing/packages': packagePrices,
      'GET /api/track/{token}': () => ({ body: { ...order, ...changes } }),
      'GET /api/config': () => ({ body: CONFIG }),
    });
    return open('', language);
  };

  test('a waiting transfer shows when it will be verified, and promises nothing yet', async () => {
    await show({ ...pending, manualPayment: { verificationStatus: 'pending', evidenceCount: 2 } });
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
    await show({
      ...pending,
      manualPayment: { verificationStatus: 'rejected', rejectionReason: 'Other amount' },
    });
    await screen.findByText('Reason: Other amount');
    expect(screen.getByRole('link', { name: 'Send it again' }).getAttribute('href')).toBe('/plant-trees');
    expect(screen.queryByRole('list', { name: 'What has happened' })).toBeNull();
  });

  test('shows a refund with its amount', async () => {
    await show({ refundedAmount: 1_000_000 });
    await screen.findByText(/We refunded COP 10,000.00 of what you paid/);
    screen.getByText('Refunded');
  });

  test('shows a lost dispute with its amount', async () => {
    await show({ lostAmount: 1_000_000, status: 'pending', withdrawn: true });
    await screen.findByText(/Your bank took back COP 10,000.00, so this order will not be planted/);
    screen.getByText('Taken back by your bank');
    screen.getByText('Taken back by the bank');
    screen.getByRole('heading', { name: 'Your bank took your money back.' });
    expect(screen.queryByText('Refunded')).toBeNull();
  });

  test('shows growth updates by date, with a link to buy them in the portal', async () => {
    await show({});
    const choose = await screen.findByRole('link', { name: 'Choose Three-year story' });
    expect(choose.getAttribute('href')).toBe(`/customer-portal?growth=${order._id}`);
    screen.getByText('Every June and December, December 2026 to December 2029');
  });

  test.each([
    ['the order’s currency', undefined, /^about COP.102,875\.00$/],
    ['the chosen currency', 'EUR', /^about EUR.23\.00$/],
    ['no other currency when dollars are chosen', 'USD', undefined],
  ] as const)('growth updates are charged in dollars and explained in %s', async (_name, chosen, about) => {
    chooseCurrency(chosen);
    await show({}, 'en', ({ url }) => ({
      body: url.includes('currency=EUR') ? { ...PACKAGES, currency: 'EUR', exchangeRate: 0.92 } : PACKAGES,
    }));
    const row = (await screen.findByRole('link', { name: 'Choose Three-year story' })).closest('li')!;
    expect(row.textContent).toContain('USD\u00a025.00');
    if (about) await within(row).findByText(about);
    else expect(within(row).queryByText(/^about/)).toBeNull();
  });

  test('growth updates name no other currency whose rate is too old', async () => {
    const asked = Promise.withResolvers<void>();
    await show({}, 'en', () => {
      asked.resolve();
      return { body: PACKAGES_IN_DOLLARS };
    });
    await asked.promise;
    expect(screen.queryByText(/^about/)).toBeNull();
  });

  describe('the receipt of a guest', () => {
    const email = () => screen.findByLabelText<HTMLInputElement>('Email of this order');
    const ask = () => fireEvent.click(screen.getByRole('button', { name: 'Download receipt' }));
    const wrong = () =>
      refusal(422, 'validation-failed', 'Please check the marked fields.', [
        { path: 'email', type: 'not-the-orders-email', message: '' },
      ]);

    function guest(reply: Parameters<typeof fakeApi>[0]['POST /api/track/{token}/receipt']) {
      const requests = fakeApi({
        'GET /api/track/{token}': () => ({ body: order }),
        'POST /api/track/{token}/receipt': reply,
      });
      return () => requests.filter(({ key }) => key.startsWith('POST')).map(({ body }) => body);
    }

    test('comes for the address that the order was made with', async () => {
      changeDraft({ email: '' });
      const files: Blob[] = [];
      URL.createObjectURL = (file) => (files.push(file as Blob), 'blob:receipt');
      const names: string[] = [];
      HTMLAnchorElement.prototype.click = function () {
        names.push(this.download);
      };
      let right = false;
      const asked = guest(() =>
        right ? { body: new Blob(['%PDF-'], { type: 'application/pdf' }) } : wrong(),
      );
      await open();
      await email();
      ask();
      await screen.findByText('Enter the email address of this order');
      expect(asked()).toEqual([]);
      fireEvent.change(await email(), { target: { value: 'guess@mail.test' } });
      ask();
      await screen.findByText('This is not the address that the order was made with.');
      expect((await email()).getAttribute('aria-invalid')).toBe('true');
      expect(document.activeElement).toBe(await email());
      right = true;
      fireEvent.change(await email(), { target: { value: 'sofia@mail.test' } });
      ask();
      await screen.findByText('The receipt is in your downloads.');
      expect(asked().at(-1)).toEqual({ email: 'sofia@mail.test', language: 'en' });
      expect([files.length, names]).toEqual([1, ['arboleda-7F3A9C.pdf']]);
    });

    test('refuses another address in Spanish on the Spanish page', async () => {
      guest(wrong);
      await open('', 'es');
      fireEvent.change(await screen.findByLabelText('Correo de este pedido'), {
        target: { value: 'guess@mail.test' },
      });
      fireEvent.click(screen.getByRole('button', { name: 'Descargar recibo' }));
      await screen.findByText('Este no es el correo con el que se hizo el pedido.');
    });

    test('has the address filled in for a buyer who paid in this tab', async () => {
      changeDraft({ email: 'sofia@mail.test' });
      guest(wrong);
      await open();
      expect((await email()).value).toBe('sofia@mail.test');
      changeDraft({ email: '' });
    });

    test('says how long to wait after too many wrong addresses', async () => {
      guest(() => ({ ...refusal(429, 'too-many-requests'), headers: { 'retry-after': '600' } }));
      await open();
      fireEvent.change(await email(), { target: { value: 'guess@mail.test' } });
      ask();
      await screen.findByText(/Too many attempts. Please wait a moment. .*10 minutes/);
    });

    test('is not asked for where nothing is paid yet, nor after the buyer’s data was erased', async () => {
      await show({ manualPayment: { verificationStatus: 'pending', evidenceCount: 1 } });
      await screen.findByRole('heading', { name: 'Receipt' });
      expect(screen.queryByLabelText('Email of this order')).toBeNull();
      cleanup();
      await show({ customerName: '—' });
      await screen.findByText('The buyer’s data was erased, so there is no receipt to download.');
      expect(screen.queryByLabelText('Email of this order')).toBeNull();
    });

    test('is a button for a logged-in customer, and asks for the address when the order is another’s', async () => {
      keepToken('customer', 'kept');
      fakeApi({
        'GET /api/track/{token}': () => ({ body: order }),
        'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
        'GET /api/customers/orders/{id}/receipt': () => refusal(404, 'not-found'),
      });
      await open();
      const section = within(await screen.findByRole('region', { name: 'Receipt' }));
      fireEvent.click(await section.findByRole('button', { name: 'Download receipt' }));
      await section.findByText('You are logged in with a different address than this order’s.');
      await email();
      keepToken('customer', null);
    });
  });

  test('reports an unknown link, and shows the order if it arrives later', async () => {
    let there = false;
    fakeApi({
      'GET /api/track/{token}': () =>
        there ? { body: order } : { status: 404, body: { type: 'not-found', title: 'x' } },
    });
    await open();
    await screen.findByRole('heading', { name: 'There is no order at this link' });
    there = true;
    await screen.findByText('Your five trees are in the ground.', {}, { timeout: 4000 });
  });

  test('offers an account with the address used for payment in this tab', async () => {
    changeDraft({ email: 'sofia@mail.test' });
    await show({});
    await screen.findByText('Create an account with sofia@mail.test to find all your trees in one place.');
    changeDraft({ email: '' });
  });

  test('shows the drawing when the first photo does not load', async () => {
    await show({});
    fireEvent.error(await screen.findByRole('img', { name: /^First photo of your order/ }));
    screen.getByText('A drawing until the photos arrive');
  });
});

test('separates planting photos from growth updates, latest update first', () => {
  const photos = [
    { id: 'a' },
    { id: 'b', growthUpdate: 1 },
    { id: 'c' },
    { id: 'd', growthUpdate: 2 },
    { id: 'e', growthUpdate: 1 },
  ];
  const { planting, updates } = albumsOf(photos);
  expect(planting.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(updates.map(({ number, photos: taken }) => [number, taken.map(({ id }) => id)])).toEqual([
    [2, ['d']],
    [1, ['b', 'e']],
  ]);
});

test.each([
  ['a card payment', {}, 'paid', true, true],
  [
    'a transfer nobody found yet',
    { manualPayment: { verificationStatus: 'pending' } },
    'to-verify',
    true,
    false,
  ],
  ['a transfer that was found', { manualPayment: { verificationStatus: 'approved' } }, 'paid', true, true],
  [
    'a transfer that was not found',
    { manualPayment: { verificationStatus: 'rejected' } },
    'rejected',
    false,
    false,
  ],
  [
    'money that was refunded',
    { withdrawn: true, manualPayment: { verificationStatus: 'approved' } },
    'withdrawn',
    false,
    true,
  ],
  ['money that the bank took back', { withdrawn: true, lostAmount: 2000 }, 'taken-back', false, true],
] as const)('%s', (_name, order, standing, underWay, receipt) => {
  expect([moneyStateOf(order), isUnderWay(order), hasReceipt(order)]).toEqual([standing, underWay, receipt]);
});

const photo = { filename: 'a.jpg', width: 4, height: 3, uploadedAt: '2026-12-12T16:00:00Z' };

const states = (order: Parameters<typeof stepsOf>[0]) =>
  stepsOf(order)
    .map(({ state }) => state)
    .join(' ');

test.each([
  ['pending', 0, 'current ahead ahead ahead ahead'],
  ['assigned', 0, 'done current ahead ahead ahead'],
  ['planted', 0, 'done done current ahead ahead'],
  ['planted', 2, 'done done done current ahead'],
  ['completed', 1, 'done done done current ahead'],
  ['assigned', 1, 'done current ahead ahead ahead'],
] as const)('%s with %i photos: %s', (status, count, expected) => {
  expect(states({ status, photos: Array.from({ length: count }, () => photo) })).toBe(expected);
});

test('a waiting transfer has no completed step', () => {
  const manualPayment = { verificationStatus: 'pending', evidenceCount: 1 } as const;
  expect(states({ status: 'pending', photos: [], manualPayment })).toBe('ahead ahead ahead ahead ahead');
});

const visit = (number: number, dueAt: string, completedAt?: string) => ({
  number,
  of: 3,
  dueAt,
  completedAt,
});

const growth = [
  {
    photoPackageType: 'first_year' as const,
    currency: 'USD' as const,
    purchasedAt: '2026-12-13T10:00:00Z',
    visits: [
      visit(1, '2027-03-12T10:00:00Z', '2027-03-14T10:00:00Z'),
      visit(3, '2027-12-12T10:00:00Z'),
      visit(2, '2027-06-12T10:00:00Z'),
    ],
  },
];

test('the first completed growth update reaches the last step, and the next one is announced', () => {
  expect(states({ status: 'completed', photos: [photo], growth })).toBe('done done done done current');
  expect(nextVisit(growth)?.number).toBe(2);
  expect(nextVisit([])).toBeUndefined();
  expect(nextVisit([{ ...growth[0]!, stoppedAt: '2027-04-01T10:00:00Z' }])).toBeUndefined();
});
