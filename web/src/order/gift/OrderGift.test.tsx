import { describe, expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { CustomerPortal } from '../../customer/CustomerPortal.tsx';
import { OrderPage } from '../page/OrderPage.tsx';
import { keepToken } from '../../session/token-store.ts';
import { CUSTOMER, customerOrder, refusal } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { type GiftForm, emptyGift, errorsOf, formOf, giftOf, senderProblem } from './gift-form.ts';
import { loadTextRules } from './text-rules.ts';
import { keepWanted, readWanted, type ReceivedGift } from './gifts.ts';
import { received, shared, own, bought, saved, press, type, keys, TOKEN } from '../../test/gifts.ts';

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
    ['waits', shared, {}, /^Waiting until 24 December 2026\. We’ll send it to Ana at 9:00/],
    [
      'waits for the transfer',
      shared,
      { manualPayment: { verificationStatus: 'pending', evidenceCount: 1 } },
      /^Waiting for your transfer to be verified/,
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
      /^It came back: the email address we have for Ana does not exist/,
    ],
    ['was refused', { ...shared, state: 'refused' }, {}, /^Ana doesn’t want gifts by email/],
    ['was cancelled', { ...shared, state: 'cancelled' }, {}, /^Cancelled, because the payment was returned/],
    [
      'is in an account',
      { ...shared, state: 'sent', claimedAt: '2026-12-25T14:00:00Z' },
      {},
      /^Added to an account on 25 December 2026/,
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
    expect(await screen.findByText(/^Waiting until/)).toBeTruthy();
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
    expect(await screen.findByText('Your gift was updated.')).toBeTruthy();
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
    expect(await screen.findByText('Your gift was updated.')).toBeTruthy();
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

describe('the form of a gift', () => {
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
    ['a link in a name', { recipientName: 'example.com' }, ['recipientName']],
    ['a message that is too long', { message: 'x'.repeat(501) }, ['message']],
  ])('%s is said before it is sent', async (_what, changes, wrong) => {
    await loadTextRules();
    expect(Object.keys(errorsOf(form(changes), words, 'en'))).toEqual(wrong);
  });

  test('has a sender who is no bank and no link', async () => {
    await loadTextRules();
    expect(senderProblem('Ana Gil', 'en')).toBeUndefined();
    expect(senderProblem('Bancolombia Seguridad', 'en')).toContain('your own name');
    expect(senderProblem('evil.example.com', 'es')).toContain('sin direcciones web');
  });
});
