import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { keepToken } from '../../session/token-store.ts';
import { CUSTOMER, refusal } from '../../test/fixtures.ts';
import { openOrderPage, plantedOrder, showOrder } from '../../test/order-page.tsx';
import { fakeApi } from '../../test/server.ts';
import { changeDraft } from '../purchase/draft.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
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
      'GET /api/track/{token}': () => ({ body: plantedOrder }),
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
    const asked = guest(() => (right ? { body: new Blob(['%PDF-'], { type: 'application/pdf' }) } : wrong()));
    await openOrderPage();
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
    await openOrderPage('', 'es');
    fireEvent.change(await screen.findByLabelText('Correo de este pedido'), {
      target: { value: 'guess@mail.test' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Descargar recibo' }));
    await screen.findByText('Este no es el correo con el que se hizo el pedido.');
  });

  test('has the address filled in for a buyer who paid in this tab', async () => {
    changeDraft({ email: 'sofia@mail.test' });
    guest(wrong);
    await openOrderPage();
    expect((await email()).value).toBe('sofia@mail.test');
    changeDraft({ email: '' });
  });

  test('says how long to wait after too many wrong addresses', async () => {
    guest(() => ({ ...refusal(429, 'too-many-requests'), headers: { 'retry-after': '600' } }));
    await openOrderPage();
    fireEvent.change(await email(), { target: { value: 'guess@mail.test' } });
    ask();
    await screen.findByText(/Too many attempts. Please wait a moment. .*10 minutes/);
  });

  test('is not asked for where nothing is paid yet, nor after the buyer’s data was erased', async () => {
    await showOrder({ manualPayment: { verificationStatus: 'pending', evidenceCount: 1 } });
    await screen.findByRole('heading', { name: 'Receipt' });
    expect(screen.queryByLabelText('Email of this order')).toBeNull();
    cleanup();
    await showOrder({ customerName: '—' });
    await screen.findByText('The buyer’s data was erased, so there is no receipt to download.');
    expect(screen.queryByLabelText('Email of this order')).toBeNull();
  });

  test('is a button for a logged-in customer, and asks for the address when the order is another’s', async () => {
    keepToken('customer', 'kept');
    fakeApi({
      'GET /api/track/{token}': () => ({ body: plantedOrder }),
      'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
      'GET /api/customers/orders/{id}/receipt': () => refusal(404, 'not-found'),
    });
    await openOrderPage();
    const section = within(await screen.findByRole('region', { name: 'Receipt' }));
    fireEvent.click(await section.findByRole('button', { name: 'Download receipt' }));
    await section.findByText('You are logged in with a different address than this order’s.');
    await email();
    keepToken('customer', null);
  });
});
