import { describe, expect, test } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import { keepToken } from '../../session/token-store.ts';
import { CUSTOMER, refusal } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { GiftPage } from './GiftPage.tsx';
import { readWanted, type ReceivedGift } from './gifts.ts';
import { StopGiftsPage } from './StopGiftsPage.tsx';
import { loadTextRules } from './text-rules.ts';
import { received, press, type, keys, TOKEN } from '../../test/gifts.ts';

describe('the page of a gift', () => {
  const open = (language: 'en' | 'es' = 'en') =>
    renderScreen(<GiftPage />, {
      texts: ['gift', 'order', 'growth', 'certificate'],
      language,
      at: `/g/${TOKEN}`,
      pattern: '/g/:token',
    });
  const answers = (changes: Partial<ReceivedGift> = {}, more: Parameters<typeof fakeApi>[0] = {}) =>
    fakeApi({ 'GET /api/gifts/{token}': () => ({ body: received(changes) }), ...more });

  test.each([
    ['en', 5, 'Emma gave you 5 trees.'],
    ['en', 1, 'Emma gave you a tree.'],
    ['es', 5, 'Emma te regaló 5 árboles.'],
    ['es', 1, 'Emma te regaló un árbol.'],
  ] as const)('names the giver and the trees: %s, %i', async (language, trees, title) => {
    answers({ trees });
    await open(language);
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy();
  });

  test('shows card, message and the way of the trees, and no amount', async () => {
    answers({ status: 'assigned', assignedWorker: { name: 'Marleny Ospina', region: 'Quindío' } });
    await open();
    const card = within(await screen.findByRole('article'));
    for (const text of ['For Ana Gómez', 'Happy birthday, Ana.', 'Emma', '5 native trees for Colombia'])
      expect(card.getByText(text)).toBeTruthy();
    const steps = within(screen.getByRole('list', { name: 'What has happened' }));
    expect(steps.getByText('A gift')).toBeTruthy();
    expect(steps.getByText('Marleny Ospina')).toBeTruthy();
    expect(screen.getByRole('main').textContent).not.toMatch(/USD|COP|\d,\d{3}/);
  });

  test('speaks the card’s language to a reader of another one', async () => {
    answers({ language: 'es' });
    await open('en');
    const card = await screen.findByRole('article');
    expect(card.getAttribute('lang')).toBe('es');
    expect(within(card).getByText('Para Ana Gómez')).toBeTruthy();
  });

  test('names nobody when the buyer’s data was erased, and takes no thanks', async () => {
    answers({ from: undefined });
    await open();
    expect(await screen.findByRole('heading', { level: 1, name: 'Someone gave you 5 trees.' })).toBeTruthy();
    expect(screen.queryByRole('heading', { name: /^Thank/ })).toBeNull();
  });

  test.each([
    ['not-found', 404, 'There is no gift at this link.'],
    ['gift-cancelled', 410, 'This gift was cancelled.'],
    ['gift-erased', 410, 'This gift’s data was erased.'],
  ])('explains a link that shows nothing: %s', async (problem, status, title) => {
    fakeApi({ 'GET /api/gifts/{token}': () => refusal(status, problem) });
    await open();
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy();
  });

  test.each<[string, Partial<ReceivedGift>, RegExp]>([
    ['an unpaid one', { unpaid: true }, /payment is still being verified/],
    ['a withdrawn one', { withdrawn: true, refunded: true }, /these trees will not be planted/],
    [
      'one refunded after planting',
      { refunded: true, status: 'planted' },
      /Trees that are planted stay planted/,
    ],
  ])('explains %s', async (_what, changes, sentence) => {
    answers(changes);
    await open();
    expect(await screen.findByText(sentence)).toBeTruthy();
  });

  test('a gift that will not be planted shows no place and cannot be kept', async () => {
    answers({ withdrawn: true, refunded: true, coordinates: { latitude: 4.637214, longitude: -75.487031 } });
    await open();
    await screen.findByText(/these trees will not be planted/);
    expect(screen.queryByRole('heading', { name: /Where/ })).toBeNull();
    expect(screen.queryByRole('heading', { name: 'Keep it' })).toBeNull();
  });

  test('sends thanks once, after refusing links and nothing', async () => {
    const requests = answers(
      {},
      {
        'POST /api/gifts/{token}/thanks': () => ({
          body: { gift: received({ thankedAt: '2026-12-24T15:00:00Z' }) },
        }),
      },
    );
    await loadTextRules();
    await open();
    await screen.findByRole('heading', { name: 'Thank Emma' });
    press('Send thanks');
    expect(screen.getByText('Write a few words.')).toBeTruthy();
    type('Your thanks', 'See www.example.com');
    press('Send thanks');
    expect(
      screen.getByText('Please write it without web addresses, email addresses or phone numbers.'),
    ).toBeTruthy();
    type('Your thanks', ' What a joy ');
    expect(screen.getByText('290 characters left. Emma gets it by email.')).toBeTruthy();
    press('Send thanks');
    expect(await screen.findByText('You thanked Emma on 24 December 2026.')).toBeTruthy();
    const sent = requests.filter(({ key }) => key.startsWith('POST'));
    expect(sent.map(({ body }) => body)).toEqual([{ text: 'What a joy' }]);
  });

  test('a guest keeps it in mind until they have an account', async () => {
    answers();
    await open();
    const link = await screen.findByRole('link', { name: 'Keep it in your account' });
    fireEvent.click(link);
    await screen.findByText('elsewhere');
    expect(readWanted()).toBe(TOKEN);
  });

  const loggedIn = (changes: Partial<typeof CUSTOMER> = {}) => {
    keepToken('customer', 'kept');
    return { 'GET /api/auth/customer/verify': () => ({ body: { user: { ...CUSTOMER, ...changes } } }) };
  };

  test('a customer with a verified address puts it into their account', async () => {
    const claimed = received({ claimedAt: '2026-12-24T15:00:00Z' });
    const requests = answers(
      {},
      {
        ...loggedIn(),
        'GET /api/customers/gifts': () => ({ body: { gifts: [] } }),
        'POST /api/gifts/{token}/claim': () => ({ body: { gift: claimed } }),
      },
    );
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Keep it in your account' }));
    expect(await screen.findByText('It is in your account now.')).toBeTruthy();
    expect(keys(requests)).toContain('POST /api/gifts/{token}/claim');
  });

  test('lets its owner get the certificate and buy growth updates', async () => {
    keepToken('customer', 'kept');
    const id = '65f0c0ffee00000000000777';
    const planted = { status: 'planted', plantingDate: '2026-12-12T14:40:00Z' } as const;
    const requests = answers(planted, {
      'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
      'GET /api/customers/gifts': () => ({ body: { gifts: [received({ ...planted, _id: id })] } }),
      'GET /api/config': () => ({
        body: {
          photoPackages: [
            { photoPackageType: 'three_year', priceId: 'price_t', amount: 2500, currency: 'USD' },
          ],
        },
      }),
      'POST /api/payments/create-photo-package-checkout': () => refusal(409, 'photo-package-active'),
      'POST /api/customers/orders/{id}/certificate': () => ({
        body: {
          certificate: {
            code: 'K7QF-M2XD-9WBN',
            version: 1,
            state: 'valid',
            language: 'en',
            issuedAt: '2026-12-14T10:00:00Z',
            name: 'Ana Gómez',
          },
        },
      }),
    });
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Get Growth Updates' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Choose Three-year story' }));
    await screen.findByRole('alert');
    const [checkout] = requests.filter(({ key }) => key.endsWith('create-photo-package-checkout'));
    expect(checkout!.body).toEqual({ priceId: 'price_t', originalOrderId: id });
    fireEvent.click(await screen.findByRole('button', { name: 'Get your certificate' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Make the certificate' }));
    expect(await screen.findByText('K7QF-M2XD-9WBN')).toBeTruthy();
  });

  test('asks for the verification of an address first, kindly', async () => {
    answers({}, loggedIn({ emailVerified: false }));
    await open();
    expect(await screen.findByText(/open the link we sent to emma@mail\.test/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Keep it in your account' })).toBeNull();
  });

  test('says that it is in an account already to the second person', async () => {
    let claimedAt: string | undefined;
    fakeApi({
      ...loggedIn(),
      'GET /api/gifts/{token}': () => ({ body: received({ claimedAt }) }),
      'GET /api/customers/gifts': () => ({ body: { gifts: [] } }),
      'POST /api/gifts/{token}/claim': () => {
        claimedAt = '2026-12-24T15:00:00Z';
        return refusal(409, 'gift-claimed');
      },
    });
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Keep it in your account' }));
    expect(await screen.findByText('This gift is already in an account.')).toBeTruthy();
  });
});

describe('no more gifts', () => {
  const open = (token = TOKEN) =>
    renderScreen(<StopGiftsPage />, { texts: ['gift'], at: `/g/${token}/stop`, pattern: '/g/:token/stop' });

  test('one press is enough, and opening the page does nothing', async () => {
    const requests = fakeApi({ 'POST /api/gifts/{token}/decline': () => ({ body: { declined: true } }) });
    await open();
    expect(requests).toEqual([]);
    press('Send me no more gifts');
    expect(await screen.findByText('We won’t send gifts to this address again.')).toBeTruthy();
    expect(keys(requests)).toEqual(['POST /api/gifts/{token}/decline']);
  });

  test('an unknown link says so', async () => {
    fakeApi({ 'POST /api/gifts/{token}/decline': () => refusal(404, 'not-found') });
    await open();
    press('Send me no more gifts');
    expect((await screen.findByRole('alert')).textContent).toMatch(/There is no gift at this link/);
  });
});
