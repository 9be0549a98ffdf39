import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useParams } from 'react-router-dom';
import { CONFIG, INTENT, PACKAGES } from '../../test/checkout.ts';
import { refusal } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { fakeStripe } from '../../test/stripe.ts';
import { currentDraft, reloadDraft } from '../../order/purchase/draft.ts';
import { PlantTreesPage } from './PlantTreesPage.tsx';

type Handlers = Parameters<typeof fakeApi>[0];

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

const open = (at: string, language: 'en' | 'es' = 'en') =>
  renderScreen(<Pages />, { texts: ['checkout'], at, language });

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

const tomorrow = () => new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);

const payButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /Plant 5 trees · COP/ });

async function payable(): Promise<void> {
  type('Name', 'Sofía Rueda');
  type('Email', 'sofia@correo.co');
  await waitFor(() => expect(payButton().disabled).toBe(false));
}

beforeEach(() => {
  sessionStorage.clear();
  reloadDraft();
});

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  reloadDraft();
});

test('the link “as a gift” opens the checkout with the box ticked, and is forgotten', async () => {
  serve();
  await open('/plant-trees?gift');
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'This is a gift' });
  expect(box.checked).toBe(true);
  expect(currentDraft()).toMatchObject({ packageType: 'grove', isGift: true, gift: { language: 'en' } });
  fireEvent.click(box);
  await waitFor(() => expect(currentDraft().isGift).toBe(false));
});

test('marks what a gift lacks before anything is charged, and sends it with the payment', async () => {
  const requests = serve();
  const stripe = fakeStripe({ wallets: { applePay: true } });
  await open('/plant-trees?gift');
  await screen.findByLabelText('Their name');
  await stripe.script('load');
  await payable();
  await act(async () => fireEvent.click(payButton()));
  await screen.findByText('Enter the name of the person who gets the gift.');
  expect(document.activeElement).toBe(screen.getByLabelText('Their name'));
  expect(requests.some(({ key }) => key.startsWith('POST'))).toBe(false);

  type('Their name', 'Ana');
  expect(screen.queryByText('Enter the name of the person who gets the gift.')).toBeNull();
  type('Their email', 'Sofia@correo.co');
  expect(screen.getByText('This is your own address, so the gift comes to you.')).toBeTruthy();
  type('Their email', 'ana@correo.co');
  type('Your message', 'Happy birthday');
  expect(screen.getByText('486 characters left. Plain text, without links or phone numbers.')).toBeTruthy();
  type('Day', tomorrow());
  fireEvent.click(screen.getByRole('radio', { name: 'Forest' }));
  await act(async () => fireEvent.click(payButton()));
  await screen.findByText(`order ${INTENT.orderToken}`);
  const { body } = requests.find(({ key }) => key.startsWith('POST'))!;
  expect(body).toMatchObject({
    customerName: 'Sofía Rueda',
    gift: {
      recipientName: 'Ana',
      recipientEmail: 'ana@correo.co',
      message: 'Happy birthday',
      language: 'en',
      card: 'forest',
      deliverOn: tomorrow(),
    },
  });
  expect(currentDraft().isGift).toBe(false);
});

test('trees for oneself are sent without a gift, also after a change of mind', async () => {
  const requests = serve();
  fakeStripe();
  await open('/plant-trees?gift');
  fireEvent.click(await screen.findByRole('checkbox', { name: 'This is a gift' }));
  await payable();
  await act(async () => fireEvent.click(payButton()));
  await screen.findByText(`order ${INTENT.orderToken}`);
  expect(requests.find(({ key }) => key.startsWith('POST'))!.body).not.toHaveProperty('gift');
});

test('a refused field is marked, and what was typed stays', async () => {
  serve({
    'POST /api/pricing/create-payment-intent': () =>
      refusal(422, 'too-many-gifts', 'x', [
        { path: 'gift.recipientEmail', type: 'too-many-gifts', message: 'x' },
      ]),
  });
  fakeStripe();
  await open('/plant-trees?gift');
  await screen.findByLabelText('Their name');
  type('Their name', 'Ana');
  type('Their email', 'ana@correo.co');
  type('Day', tomorrow());
  await payable();
  await act(async () => fireEvent.click(payButton()));
  await waitFor(() => expect(screen.getByLabelText('Their email').getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getByLabelText<HTMLInputElement>('Their name').value).toBe('Ana');
});
