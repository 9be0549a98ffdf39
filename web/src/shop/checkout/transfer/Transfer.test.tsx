import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useParams } from 'react-router-dom';
import { CONFIG, INTENT, PACKAGES, PACKAGES_IN_DOLLARS } from '../../../test/checkout.ts';
import { refusal } from '../../../test/fixtures.ts';
import { pictureFile, PICTURES } from '../../../test/pictures.ts';
import { renderScreen } from '../../../test/render.tsx';
import { fakeApi } from '../../../test/server.ts';
import { fakeUploads } from '../../../test/uploads.ts';
import { changeDraft, currentDraft, reloadDraft } from '../../../order/purchase/draft.ts';
import { PlantTreesPage } from '../PlantTreesPage.tsx';

describe('Transfer', () => {
  type Handlers = Parameters<typeof fakeApi>[0];

  function Pages() {
    const token = useParams()['*']?.split('orders/')[1];
    return token ? <p>{`order ${token}`}</p> : <PlantTreesPage />;
  }

  const serve = (handlers: Handlers = {}) =>
    fakeApi({
      'GET /api/pricing/packages': ({ url }) => ({
        body: url.includes('currency=COP') ? PACKAGES : PACKAGES_IN_DOLLARS,
      }),
      'GET /api/config': () => ({ body: CONFIG }),
      'GET /api/manual-payments/reference': () => ({ body: { referenceNumber: 'ARB-5D21F0' } }),
      ...handlers,
    });

  const open = (language: 'en' | 'es' = 'en') =>
    renderScreen(<Pages />, { texts: ['checkout'], at: '/plant-trees', language });

  const payButton = () =>
    screen.getByRole<HTMLButtonElement>('button', { name: /Plant 5 trees · COP.82,300/ });

  const row = (name: string) => within(screen.getByText(name).closest('li')!);

  const choose = async (...files: File[]) => {
    const input = screen.getByLabelText('Choose pictures', { selector: 'input' });
    await act(async () => void fireEvent.change(input, { target: { files } }));
    for (const { name } of files) await screen.findByText(name);
  };

  const jpg = (name: string) => pictureFile(name, PICTURES.jpg, 92);

  const CREATED = { success: true, orderToken: INTENT.orderToken, amount: 8_230_000, currency: 'COP' };

  let uploads: ReturnType<typeof fakeUploads>;

  /** Presses the button until the server receives a request. */
  async function send(): Promise<void> {
    const before = uploads.requests.length;
    fireEvent.click(payButton());
    await waitFor(() => expect(uploads.requests).toHaveLength(before + 1));
  }

  async function ready(): Promise<void> {
    await open();
    await screen.findByText('ARB-5D21F0');
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Sofía Rueda' } });
    fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'sofia@correo.co' } });
    await choose(jpg('one.jpg'), jpg('two.jpg'));
    await waitFor(() => expect(payButton().disabled).toBe(false));
  }

  beforeEach(() => {
    changeDraft({ packageType: 'grove', method: { kind: 'transfer', bank: 'bancolombia' } });
    uploads = fakeUploads();
  });

  afterEach(() => {
    cleanup();
    jest.restoreAllMocks();
    sessionStorage.clear();
    reloadDraft();
  });

  test('a transfer is in pesos for every buyer, and the button says so', async () => {
    serve();
    await open();
    expect(await screen.findByText(/5 native trees at COP.20,575/)).toBeTruthy();
    expect(payButton().disabled).toBe(true);
    expect(screen.getByText('Prices in US dollars. We keep them until 3:52 pm.')).toBeTruthy();
  });

  test('says the price in pesos and the rate before the transfer is chosen', async () => {
    changeDraft({ method: { kind: 'card' } });
    serve();
    await open();
    const transfer = await screen.findByRole('radio', { name: 'Bancolombia bank transfer' });
    await waitFor(() =>
      expect(document.getElementById(transfer.getAttribute('aria-describedby')!)?.textContent).toMatch(
        /^Verified in 24-48 hoursYou pay COP.82,300, at COP.4,115 to the dollar\.$/,
      ),
    );
    expect(screen.getByRole('button', { name: /Plant 5 trees · USD.20\.00/ })).toBeTruthy();
  });

  test('says no rate to a buyer who sees pesos already', async () => {
    serve({ 'GET /api/pricing/packages': () => ({ body: PACKAGES }) });
    await open();
    await screen.findByText('ARB-5D21F0');
    expect(screen.queryByText(/You pay/)).toBeNull();
  });

  test('account, amount and reference can be copied in the format of bank forms', async () => {
    serve();
    const written: string[] = [];
    Object.assign(navigator, {
      clipboard: { writeText: (text: string) => Promise.resolve(void written.push(text)) },
    });
    await open();
    await screen.findByText('ARB-5D21F0');
    for (const fact of ['Bancolombia, Ahorros', 'Holder', 'Tax id (NIT)', 'Exact amount'])
      expect(screen.getByText(fact)).toBeTruthy();
    for (const what of ['reference', 'amount', 'account number', 'holder', 'tax id']) {
      await act(async () => fireEvent.click(screen.getByRole('button', { name: `Copy the ${what}` })));
    }
    expect(written).toEqual(['ARB-5D21F0', '82300', '123-456789-00', 'Fundación Arboleda', '900.000.000-0']);
    expect(screen.getByLabelText<HTMLInputElement>('Reference number').value).toBe('ARB-5D21F0');
  });

  test('shows the Bre-B key with its code, and copies the key, where the organisation has one', async () => {
    const key = '@arboleda';
    const bankAccounts = CONFIG.bankAccounts.map((account) => ({
      ...account,
      breB: { key, qr: '/bre-b/bancolombia.png' },
    }));
    serve({ 'GET /api/config': () => ({ body: { ...CONFIG, bankAccounts } }) });
    const written: string[] = [];
    Object.assign(navigator, {
      clipboard: { writeText: (text: string) => Promise.resolve(void written.push(text)) },
    });
    await open('es');
    await screen.findByText(/^Llave Bre-B/);
    const picture = screen.getByRole('img', { name: /QR/ });
    expect(picture.getAttribute('src')).toBe('/bre-b/bancolombia.png');
    await act(async () => fireEvent.click(screen.getByRole('button', { name: /^Copiar la llave/ })));
    expect(written).toEqual([key]);
  });

  test('Pay waits for a picture; Enter before that asks for evidence', async () => {
    serve();
    await open();
    await screen.findByText('ARB-5D21F0');
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Sofía' } });
    const email = screen.getByLabelText('Email');
    fireEvent.keyDown(email, { key: 'Enter' });
    expect((await screen.findByRole('alert')).textContent).toBe('Please fill in all required fields');
    fireEvent.change(email, { target: { value: 'sofia@correo.co' } });
    await screen.findByText('Still needed: a picture of the transfer.');
    expect(payButton().disabled).toBe(true);
    fireEvent.keyDown(email, { key: 'Enter' });
    await screen.findByText('Please upload payment evidence');
    await choose(jpg('one.jpg'));
    await waitFor(() => expect(payButton().disabled).toBe(false));
    expect(screen.queryByText('Please upload payment evidence')).toBeNull();
  });

  test('refuses files that are no picture, too large, too many or duplicates, and can remove them', async () => {
    serve();
    await open();
    await screen.findByText('ARB-5D21F0');
    await choose(new File(['%PDF-1.7'], 'statement.pdf', { type: 'application/pdf' }));
    expect(row('statement.pdf').getByText('This file is not a JPG, PNG or GIF image.')).toBeTruthy();
    await choose(pictureFile('large.jpg', PICTURES.jpg, 5_000_000));
    expect(row('large.jpg').getByText('This file is larger than 5 MB.')).toBeTruthy();
    expect(screen.getByText(/Still needed/).textContent).toContain('a picture of the transfer');
    await choose(jpg('one.jpg'), jpg('two.jpg'), jpg('three.jpg'), jpg('four.jpg'));
    expect(row('four.jpg').getByText('At most 3 pictures. Remove one to add this one.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Remove four.jpg' }));
    expect(screen.queryByText('four.jpg')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove three.jpg' }));
  });

  test('sends every field of the spec with upload progress, and leads to the order', async () => {
    serve();
    await ready();
    fireEvent.change(screen.getByLabelText('Phone'), { target: { value: '300 555 0142' } });
    fireEvent.click(payButton());
    await screen.findByText('Sending…');
    act(() => uploads.progress(0.75));
    expect(row('one.jpg').getByText('Sent')).toBeTruthy();
    expect(row('two.jpg').getByText('Sending, 50%')).toBeTruthy();
    expect(row('two.jpg').getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
    const [{ form, headers, path }] = uploads.requests as [(typeof uploads.requests)[number]];
    expect(path).toBe('/api/manual-payments/create-order');
    expect(headers['idempotency-key']).toBeTruthy();
    const { evidenceFiles: _files, ...fields } = Object.fromEntries(form.entries());
    expect(fields).toEqual({
      trees: '5',
      packageType: 'grove',
      currency: 'COP',
      customerEmail: 'sofia@correo.co',
      customerName: 'Sofía Rueda',
      customerPhone: '300 555 0142',
      paymentMethod: 'manual_bancolombia',
      bankName: 'bancolombia',
      referenceNumber: 'ARB-5D21F0',
      locale: 'en',
      quote: 'quote-1',
    });
    expect(form.getAll('evidenceFiles').map((file) => (file as File).name)).toEqual(['one.jpg', 'two.jpg']);
    act(() => uploads.answer(201, CREATED));
    await screen.findByText(`order ${INTENT.orderToken}`);
    expect(currentDraft().sending ?? currentDraft().reference ?? currentDraft().evidence).toBeUndefined();
  });

  test('two presses send once, and a press after a lost answer repeats the request with the same key', async () => {
    serve();
    await ready();
    fireEvent.click(payButton());
    await send();
    expect(uploads.requests).toHaveLength(1);
    act(() => uploads.lose());
    await screen.findByText(/^We could not create your order, and we charged nothing\./);
    expect(screen.getByText(/We got no answer/)).toBeTruthy();
    expect(screen.getByText(/Your last attempt may have reached us/)).toBeTruthy();
    await send();
    const [first, second] = uploads.requests;
    expect(second!.headers).toEqual(first!.headers);
    act(() => uploads.answer(201, CREATED));
    await screen.findByText(`order ${INTENT.orderToken}`);
  });

  test('reports a server error in the spec’s or its own words, and keeps all input', async () => {
    serve();
    await ready();
    await send();
    act(() => uploads.answer(502, { page: 'of a proxy' }));
    await screen.findByText(/^We could not create your order, and we charged nothing\./);
    await send();
    act(() => uploads.answer(429, refusal(429, 'too-many-requests').body));
    await screen.findByText('Too many attempts. Please wait a moment.');
    expect(screen.getByText('two.jpg')).toBeTruthy();
  });

  test('marks a picture the server refuses, and sends the others without it', async () => {
    serve();
    await ready();
    await send();
    const errors = [{ path: 'evidenceFiles.1', type: 'evidence-damaged', message: 'x' }];
    act(() => uploads.answer(422, refusal(422, 'evidence-damaged', 'x', errors).body));
    await waitFor(() =>
      expect(row('two.jpg').getByText('This image is damaged. Please choose it again.')).toBeTruthy(),
    );
    await send();
    expect(uploads.requests[1]!.form.getAll('evidenceFiles')).toHaveLength(1);
  });

  test('sending can be stopped without losing input', async () => {
    serve();
    await ready();
    fireEvent.click(payButton());
    fireEvent.click(await screen.findByRole('button', { name: 'Stop sending' }));
    await screen.findByText('You stopped the upload. Your details and pictures are still here.');
    expect(payButton().disabled).toBe(false);
  });

  test('asks to confirm the new peso amount of out-of-date prices', async () => {
    let asked = 0;
    const dearer = {
      ...PACKAGES,
      quote: 'quote-2',
      packages: PACKAGES.packages.map((one) => ({ ...one, amount: one.amount + 10_000 })),
    };
    serve({
      'GET /api/pricing/packages': ({ url }) => ({
        body: url.includes('COP') ? (asked++ === 0 ? PACKAGES : dearer) : PACKAGES_IN_DOLLARS,
      }),
    });
    await ready();
    await send();
    act(() => uploads.answer(409, refusal(409, 'quote-expired').body));
    expect((await screen.findByText(/The total is now/)).textContent).toMatch(/COP.82,400/);
    fireEvent.click(screen.getByRole('button', { name: /Plant 5 trees · COP.82,400/ }));
    await waitFor(() => expect(uploads.requests).toHaveLength(2));
    expect(uploads.requests[1]!.form.get('quote')).toBe('quote-2');
  });

  test('asks nobody to transfer money without a peso amount', async () => {
    let isAway = true;
    serve({
      'GET /api/pricing/packages': ({ url }) =>
        url.includes('COP') && isAway
          ? { status: 503 }
          : { body: url.includes('COP') ? PACKAGES : PACKAGES_IN_DOLLARS },
    });
    await open();
    const box = await screen.findByText(/The amount in Colombian pesos could not be looked up/);
    expect(screen.getByText(/Still needed/).textContent).toContain('the amount in pesos');
    isAway = false;
    fireEvent.click(within(box.parentElement!).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(payButton()).toBeTruthy());
  });

  test('offers the card while prices cannot be in pesos', async () => {
    serve({ 'GET /api/pricing/packages': () => ({ body: PACKAGES_IN_DOLLARS }) });
    await open();
    const notice = await screen.findByText(/^Bank transfers are not possible right now/);
    expect(screen.queryByText('Exact amount')).toBeNull();
    const summary = within(screen.getByRole('complementary', { name: 'Your order' }));
    expect(summary.getByText('Total').nextElementSibling?.textContent).toBe('–');
    expect(screen.queryByText('Looking up the prices in your currency')).toBeNull();
    expect(screen.queryByLabelText('Choose pictures', { selector: 'input' })).toBeNull();
    expect(screen.getByText(/Still needed/).textContent).toContain('the amount in pesos');
    fireEvent.click(within(notice.parentElement!).getByRole('button', { name: 'Pay by card' }));
    expect(currentDraft().method).toEqual({ kind: 'card' });
  });

  test('reports a missing account or reference and offers a retry', async () => {
    let isAway = true;
    serve({
      'GET /api/config': () => (isAway ? { status: 503 } : { body: CONFIG }),
      'GET /api/manual-payments/reference': () =>
        isAway ? { status: 503 } : { body: { referenceNumber: 'ARB-5D21F0' } },
    });
    await open();
    const box = await screen.findByText(/The account could not be loaded/);
    isAway = false;
    fireEvent.click(within(box.parentElement!).getByRole('button', { name: 'Try again' }));
    await screen.findByText('We couldn’t create a reference. Write your email address instead.');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('ARB-5D21F0');
  });

  test('asks for the pictures again after a reload when the browser did not keep them', async () => {
    serve();
    changeDraft({ evidence: { key: 'k', count: 2 } });
    await open();
    await screen.findByText(/Your browser did not keep the pictures/);
    await choose(jpg('one.jpg'));
    expect(screen.queryByText(/did not keep/)).toBeNull();
  });

  test('refusals of pictures are in Spanish on a Spanish page', async () => {
    serve();
    await open('es');
    await screen.findByText('ARB-5D21F0');
    const input = screen.getByLabelText('Elegir imágenes', { selector: 'input' });
    const files = [new File(['x'], 'nota.txt')];
    await act(async () => void fireEvent.change(input, { target: { files } }));
    await screen.findByText('Este archivo no es una imagen JPG, PNG o GIF.');
  });
});
