import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { CustomerPortal } from '../customer/CustomerPortal.tsx';
import { OrderPage } from '../public/order/OrderPage.tsx';
import { keepToken } from '../session/token-store.ts';
import { CUSTOMER, customerOrder, refusal } from '../testing/fixtures.ts';
import { renderScreen } from '../testing/render.tsx';
import { fakeApi } from '../testing/server.ts';
import { type GiftForm, emptyGift, errorsOf, formOf, giftOf } from './gift-form.ts';
import { GiftPage } from './GiftPage.tsx';
import { keepWanted, type OwnGift, readWanted, type ReceivedGift } from './gifts.ts';
import { StopGiftsPage } from './StopGiftsPage.tsx';

const TOKEN = 'gifttokengifttokengift';

const received = (changes: Partial<ReceivedGift> = {}): ReceivedGift => ({
  token: TOKEN,
  shortId: '06BBE0',
  status: 'pending',
  trees: 5,
  from: 'Emma',
  recipientName: 'Ana Gómez',
  message: 'Happy birthday, Ana.',
  card: 'night',
  language: 'en',
  photos: [],
  timeline: [],
  ...changes,
});

const shared = {
  state: 'waiting',
  card: 'valley',
  recipientName: 'Ana',
  deliverOn: '2026-12-24',
  timeZone: 'America/Bogota',
  byHand: false,
} as const;

const own = (changes: Partial<OwnGift> = {}): OwnGift => ({
  ...shared,
  recipientName: 'Ana Gómez',
  recipientEmail: 'ana@mail.test',
  message: 'Happy birthday, Ana.',
  language: 'es',
  deliverAt: '2026-12-24T14:00:00Z',
  ...changes,
});

const bought: NonNullable<ReceivedGift['growth']>[number] = {
  photoPackageType: 'first_year',
  purchasedAt: '2026-12-13T10:00:00Z',
  visits: [{ number: 1, of: 3, dueAt: '2099-03-13T10:00:00Z' }],
};

const saved: string[] = [];

beforeEach(() => {
  saved.length = 0;
  URL.createObjectURL = () => 'blob:file';
  HTMLAnchorElement.prototype.click = function () {
    saved.push(this.download);
  };
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const type = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });
const keys = (requests: readonly { key: string }[]) => requests.map(({ key }) => key);

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
    ['gift-erased', 410, 'The data of this gift was erased.'],
  ])('says what is true of a link that shows nothing: %s', async (problem, status, title) => {
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
  ])('says of %s what is true', async (_what, changes, sentence) => {
    answers(changes);
    await open();
    expect(await screen.findByText(sentence)).toBeTruthy();
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
    await open();
    await screen.findByRole('heading', { name: 'Thank Emma' });
    press('Send thanks');
    expect(screen.getByText('Write a few words.')).toBeTruthy();
    type('Your thanks', 'See www.example.com');
    press('Send thanks');
    expect(screen.getByText('Please write it without links.')).toBeTruthy();
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
    expect(await screen.findByText(/open the link that we sent to emma@mail\.test/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Keep it in your account' })).toBeNull();
  });

  test('says that it is in an account to the one who comes second', async () => {
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
    expect(await screen.findByText('This gift is kept in an account.')).toBeTruthy();
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
    expect(await screen.findByText('We send no more gifts to this address.')).toBeTruthy();
    expect(keys(requests)).toEqual(['POST /api/gifts/{token}/decline']);
  });

  test('an unknown link says so', async () => {
    fakeApi({ 'POST /api/gifts/{token}/decline': () => refusal(404, 'not-found') });
    await open();
    press('Send me no more gifts');
    expect((await screen.findByRole('alert')).textContent).toMatch(/There is no gift at this link/);
  });
});

describe('the gift of an order', () => {
  const open = (gift: object, more: Parameters<typeof fakeApi>[0] = {}, order: object = {}) => {
    const requests = fakeApi({
      'GET /api/track/{token}': () => ({
        body: { ...customerOrder(), customerName: 'Emma', ...order, gift },
      }),
      'POST /api/track/{token}/gift': ({ body }) =>
        (body as { email: string }).email === 'emma@mail.test'
          ? { body: { gift: own(gift) } }
          : refusal(422, 'validation-failed', 'x', [
              { path: 'email', type: 'email-not-of-order', message: 'Not the address of this order.' },
            ]),
      ...more,
    });
    return renderScreen(<OrderPage />, {
      texts: ['order', 'growth', 'certificate'],
      at: '/orders/tokentokentokentokento',
      pattern: '/orders/:token',
    }).then(() => requests);
  };

  test.each<[string, object, object, RegExp]>([
    ['waits', shared, {}, /^Waits until 24 December 2026\. We send it to Ana at 9:00/],
    [
      'waits for the transfer',
      shared,
      { manualPayment: { verificationStatus: 'pending', evidenceCount: 1 } },
      /^Waits for your transfer to be verified/,
    ],
    ['is handed over', { ...shared, byHand: true }, {}, /^The card for Ana is ready for you to hand over/],
    [
      'was sent',
      { ...shared, state: 'sent', sentAt: '2026-12-24T14:00:00Z' },
      {},
      /^Sent to Ana on 24 December/,
    ],
    [
      'came back',
      { ...shared, state: 'bounced' },
      {},
      /^It came back: the email address of Ana does not exist/,
    ],
    ['was refused', { ...shared, state: 'refused' }, {}, /^Ana wants no gifts by email/],
    ['was cancelled', { ...shared, state: 'cancelled' }, {}, /^Cancelled, because the order was refunded/],
    [
      'is in an account',
      { ...shared, state: 'sent', claimedAt: '2026-12-25T14:00:00Z' },
      {},
      /^Ana has kept it in an account since 25 December 2026/,
    ],
    ['is erased', { ...shared, erased: true }, {}, /^The recipient’s data was erased/],
  ])('says in words that it %s', async (_what, gift, order, sentence) => {
    await open(gift, {}, order);
    expect(await screen.findByText(sentence)).toBeTruthy();
  });

  const prove = async (email = 'emma@mail.test') => {
    fireEvent.click(await screen.findByRole('button', { name: 'See or change it' }));
    const gift = within(screen.getByRole('region', { name: 'Your gift' }));
    fireEvent.change(gift.getByLabelText('Email of this order'), { target: { value: email } });
    press('Show the gift');
  };

  test('shows what was written to the one who knows the order’s address', async () => {
    await open(shared);
    expect(await screen.findByText(/^Waits until/)).toBeTruthy();
    expect(screen.queryByText('Happy birthday, Ana.')).toBeNull();
    await prove('someone@mail.test');
    expect(await screen.findByText('Not the address of this order.')).toBeTruthy();
    fireEvent.change(
      within(screen.getByRole('region', { name: 'Your gift' })).getByLabelText('Email of this order'),
      {
        target: { value: 'emma@mail.test' },
      },
    );
    press('Show the gift');
    expect(await screen.findByText('Happy birthday, Ana.')).toBeTruthy();
    expect(screen.getByText('ana@mail.test')).toBeTruthy();
  });

  test('changes everything until it is sent, and marks what the server refuses', async () => {
    let refusals = 1;
    const requests = await open(shared, {
      'PUT /api/track/{token}/gift': ({ body }) =>
        refusals-- > 0
          ? refusal(422, 'too-many-gifts', 'x', [
              { path: 'gift.recipientEmail', type: 'too-many-gifts', message: 'x' },
            ])
          : { body: { gift: own((body as { gift: object }).gift) } },
    });
    await prove();
    fireEvent.click(await screen.findByRole('button', { name: 'Change the gift' }));
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    type('Their name', 'Ana María');
    type('Day', day);
    press('Save the gift');
    expect(await screen.findByText(/Too many gifts for one day/)).toBeTruthy();
    type('Their email', 'anamaria@mail.test');
    expect(screen.queryByText(/Too many gifts for one day/)).toBeNull();
    press('Save the gift');
    expect(await screen.findByText('Your gift is changed.')).toBeTruthy();
    const { body } = requests.findLast(({ key }) => key.startsWith('PUT'))!;
    expect(body).toMatchObject({
      email: 'emma@mail.test',
      gift: {
        recipientName: 'Ana María',
        recipientEmail: 'anamaria@mail.test',
        deliverOn: day,
        card: 'valley',
      },
    });
  });

  test('corrects the address alone after it came back, whatever the day', async () => {
    const gift = { ...shared, state: 'bounced', deliverOn: '2026-01-02' };
    const requests = await open(gift, {
      'PUT /api/track/{token}/gift': () => ({ body: { gift: own({ recipientEmail: 'right@mail.test' }) } }),
    });
    await prove();
    fireEvent.click(await screen.findByRole('button', { name: 'Correct the address' }));
    expect(screen.queryByLabelText('Their name')).toBeNull();
    type('Their email', 'right@mail.test');
    press('Send it there');
    expect(await screen.findByText('Your gift is changed.')).toBeTruthy();
    const { body } = requests.findLast(({ key }) => key.startsWith('PUT'))!;
    expect(body).toMatchObject({ gift: { recipientEmail: 'right@mail.test', deliverOn: '2026-01-02' } });
  });

  test('sends it again, and says when that must wait until tomorrow', async () => {
    let isToday = false;
    await open(
      { ...shared, state: 'sent', sentAt: '2026-12-24T14:00:00Z' },
      {
        'POST /api/track/{token}/gift/send-again': () =>
          isToday ? refusal(409, 'gift-sent-today') : { body: { gift: own({ state: 'sent' }) } },
      },
    );
    await prove();
    fireEvent.click(await screen.findByRole('button', { name: 'Send it again' }));
    expect(await screen.findByText('On its way again.')).toBeTruthy();
    isToday = true;
    press('Send it again');
    expect(await screen.findByText(/This gift was sent today/)).toBeTruthy();
  });

  test('downloads the card', async () => {
    await open(
      { ...shared, byHand: true },
      {
        'POST /api/track/{token}/gift/card': () => ({
          body: new Blob(['%PDF'], { type: 'application/pdf' }),
        }),
      },
    );
    await prove();
    fireEvent.click(await screen.findByRole('button', { name: 'Download the card' }));
    await waitFor(() => expect(saved).toEqual(['arboleda-06BBE0.pdf']));
  });
});

describe('gifts in the portal', () => {
  const open = (gifts: readonly ReceivedGift[], more: Parameters<typeof fakeApi>[0] = {}) => {
    keepToken('customer', 'kept');
    const requests = fakeApi({
      'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
      'GET /api/customers/orders': () => ({
        body: {
          orders: [customerOrder({ gift: own({ thanks: { text: 'So kind', at: '2026-12-24T16:00:00Z' } }) })],
          emailVerified: true,
          stats: { totalTrees: 5, totalOrders: 1, treesPlanted: 0, carbonOffset: 0 },
        },
      }),
      'GET /api/customers/gifts': () => ({ body: { gifts } }),
      'GET /api/gifts/{token}': () => ({ body: received() }),
      ...more,
    });
    return renderScreen(<CustomerPortal />, {
      texts: ['portal', 'customer', 'order', 'growth', 'certificate'],
    }).then(() => requests);
  };

  test('received ones are listed with their giver, own ones with what became of them', async () => {
    await open([received({ token: TOKEN })]);
    const link = await screen.findByRole('link', { name: '5 trees from Emma' });
    expect(link.getAttribute('href')).toBe(`/g/${TOKEN}`);
    expect(await screen.findByText('So kind')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Change the gift' })).toBeTruthy();
  });

  test('one that growth updates were just bought for says so, as soon as they are there', async () => {
    let isPaid = false;
    const id = '65f0c0ffee00000000000777';
    keepToken('customer', 'kept');
    fakeApi({
      'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
      'GET /api/customers/orders': () => ({
        body: {
          orders: [],
          emailVerified: true,
          stats: { totalTrees: 0, totalOrders: 0, treesPlanted: 0, carbonOffset: 0 },
        },
      }),
      'GET /api/customers/gifts': () => ({
        body: { gifts: [received({ _id: id, ...(isPaid && { growth: [bought] }) })] },
      }),
    });
    await renderScreen(<CustomerPortal />, {
      texts: ['portal', 'customer', 'order', 'growth', 'certificate'],
      at: `/customer-portal?package=success&order=${id}`,
    });
    await screen.findByText(/^Your payment went through/);
    isPaid = true;
    await screen.findByText('Thank you. Your growth updates are set up below.');
  });

  test('one that was wanted before the account existed is kept by one press', async () => {
    keepWanted(TOKEN);
    const requests = await open([], {
      'POST /api/gifts/{token}/claim': () => ({ body: { gift: received() } }),
    });
    expect(await screen.findByText('Emma gave you 5 trees. Keep them in this account?')).toBeTruthy();
    press('Keep it');
    expect(await screen.findByText('It is in your account now.')).toBeTruthy();
    expect(keys(requests)).toContain('POST /api/gifts/{token}/claim');
    expect(readWanted()).toBeUndefined();
  });
});

describe('what is typed of a gift', () => {
  const words = ((key: string) => key) as never;
  const form = (changes: Partial<GiftForm> = {}): GiftForm => ({
    ...emptyGift('en'),
    recipientName: 'Ana',
    recipientEmail: 'Ana@mail.test ',
    deliverOn: new Date().toISOString().slice(0, 10),
    ...changes,
  });

  test('is sent as the server keeps it', () => {
    expect(giftOf(form({ message: ' Hello ' }))).toMatchObject({
      recipientEmail: 'ana@mail.test',
      message: 'Hello',
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    expect(giftOf(form({ byHand: true })).recipientEmail).toBeNull();
    expect(formOf(giftOf(form({ byHand: true })))).toMatchObject({ byHand: true, recipientEmail: '' });
  });

  test.each<[string, Partial<GiftForm>, string[]]>([
    ['nothing', { deliverOn: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) }, []],
    ['a missing name', { recipientName: ' \u200b' }, ['recipientName']],
    ['a missing address', { recipientEmail: '' }, ['recipientEmail']],
    ['no address of a card to hand over', { recipientEmail: '', byHand: true }, []],
    ['a missing day', { deliverOn: '' }, ['deliverOn']],
    ['a day that has passed', { deliverOn: '2020-01-01' }, ['deliverOn']],
    ['a day beyond a year', { deliverOn: '2999-01-01' }, ['deliverOn']],
    ['a link', { message: 'Look at https://example.com' }, ['message']],
    ['a message that is too long', { message: 'x'.repeat(501) }, ['message']],
  ])('%s is said before it is sent', (_what, changes, wrong) => {
    expect(Object.keys(errorsOf(form(changes), words, 'en'))).toEqual(wrong);
  });
});
