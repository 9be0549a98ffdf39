import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useParams } from 'react-router-dom';
import type { CreatedTransfer } from '../../api/create-transfer.ts';
import { ApiProblem } from '../../api/problem.ts';
import { CONFIG, INTENT, PACKAGES, PACKAGES_IN_DOLLARS } from '../../testing/checkout.ts';
import { refusal } from '../../testing/fixtures.ts';
import { pictureFile, PICTURES } from '../../testing/pictures.ts';
import { renderScreen } from '../../testing/render.tsx';
import { fakeApi } from '../../testing/server.ts';
import { fakeUploads } from '../../testing/uploads.ts';
import { changeDraft, currentDraft, type PendingSubmission, reloadDraft, type Submission } from './draft.ts';
import { PlantTreesPage } from './PlantTreesPage.tsx';
import { type Picture, refusalBeside, refusalOf, sharesOf } from './transfer/evidence.ts';
import { sendTransfer, type TransferTools } from './transfer/use-transfer.ts';

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
    screen.getByRole<HTMLButtonElement>('button', { name: /Plant 5 trees · COP.82,300\.00/ });

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
    expect(await screen.findByText(/5 native trees at 20,575\.00/)).toBeTruthy();
    expect(payButton().disabled).toBe(true);
    expect(screen.getByText('Prices in US dollars. We keep them until 3:52 pm.')).toBeTruthy();
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
    await screen.findByText('Failed to create manual payment order');
    expect(screen.getByText(/There was no answer/)).toBeTruthy();
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
    await screen.findByText('Failed to create manual payment order');
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
    expect((await screen.findByText(/The total is now/)).textContent).toMatch(/COP.82,400\.00/);
    fireEvent.click(screen.getByRole('button', { name: /Plant 5 trees · COP.82,400\.00/ }));
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

const chosen = (file: File, at: number): Picture => ({ id: String(at), file, preview: '' });

test.each(['jpg', 'png', 'gif'] as const)('accepts a %s', async (kind) => {
  expect(await refusalOf(pictureFile(`receipt.${kind}`, PICTURES[kind]))).toBeUndefined();
});

test.each([
  ['receipt.pdf', 'application/pdf', '%PDF-1.7'],
  ['photo.heic', 'image/heic', '\0\0\0\x18ftypheic'],
  ['drawing.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['renamed.jpg', 'image/jpeg', 'just some words'],
  ['empty.png', 'image/png', ''],
])('%s is no accepted picture, whatever its declared type', async (name, type, content) => {
  expect(await refusalOf(new File([content], name, { type }))).toBe('evidence-not-an-image');
});

test('accepts a picture of 5 MB and refuses one byte more', async () => {
  const room = 5_000_000 - PICTURES.jpg.length;
  expect(await refusalOf(pictureFile('a.jpg', PICTURES.jpg, room))).toBeUndefined();
  expect(await refusalOf(pictureFile('a.jpg', PICTURES.jpg, room + 1))).toBe('evidence-too-large');
});

test('accepts three pictures, no fourth, and no duplicate', () => {
  const files = ['a', 'b', 'c', 'd'].map((name) => pictureFile(`${name}.jpg`, PICTURES.jpg));
  const three = files.slice(0, 3).map(chosen);
  expect(refusalBeside(files[2]!, three.slice(0, 2))).toBeUndefined();
  expect(refusalBeside(files[3]!, three)).toBe('one-too-many');
  expect(refusalBeside(files[0]!, three.slice(0, 1))).toBe('chosen-twice');
});

test('computes each file’s progress from the progress of the form', () => {
  expect(sharesOf([100, 300], 0)).toEqual([0, 0]);
  expect(sharesOf([100, 300], 0.5)).toEqual([1, 1 / 3]);
  expect(sharesOf([100, 300], 1)).toEqual([1, 1]);
});

const submission = (changes: Record<string, string> = {}, pictures = ['p1']): Submission => ({
  fields: { trees: '5', customerEmail: 'sofia@correo.co', quote: 'quote-1', locale: 'es', ...changes },
  pictures,
  amountMinor: 8_230_000,
});

const problem = (status: number, type: string) => new ApiProblem({ status, type, title: type });

const noAnswer = problem(0, 'network');

type Reply = Error | 'created';

/** Scripted server answers with the draft of one buyer. */
function setUp(replies: Reply[], gone = new Set<string>()) {
  const sent: { key: string; fields: Record<string, string> }[] = [];
  let kept: PendingSubmission | undefined;
  const tools = (): TransferTools => ({
    sending: kept,
    keep: (sending) => (kept = sending),
    newKey: () => 'key-1',
    filesOf: (pictures) =>
      pictures.some((id) => gone.has(id)) ? undefined : pictures.map((id) => new File([id], id)),
    create: (fields, _files, key) => {
      sent.push({ key, fields: { ...fields } });
      const reply = replies.shift();
      return reply === 'created'
        ? Promise.resolve({ orderToken: `order-of-${sent.length}` } as CreatedTransfer)
        : Promise.reject(reply!);
    },
  });
  return { sent, send: (one: Submission) => sendTransfer(one, tools()), kept: () => kept };
}

describe('submitting a transfer', () => {
  test('submits once and returns the order', async () => {
    const { send, sent } = setUp(['created']);
    expect(await send(submission())).toEqual({ kind: 'sent', orderToken: 'order-of-1' });
    expect(sent).toHaveLength(1);
  });

  test('repeats a request with a lost answer under the same key and with the first quote', async () => {
    const { send, sent, kept } = setUp([noAnswer, 'created']);
    expect(await send(submission())).toMatchObject({ kind: 'refused', problem: { status: 0 } });
    expect(kept()?.tries).toHaveLength(1);
    await send(submission({ quote: 'quote-2' }));
    expect(sent[1]).toEqual(sent[0]);
  });

  test('sends a change after a lost answer under the same key, so that only one becomes an order', async () => {
    const { send, sent } = setUp([noAnswer, 'created']);
    await send(submission());
    await send(submission({ customerEmail: 'sofia@mail.test' }));
    expect(sent.map(({ key }) => key)).toEqual(['key-1', 'key-1']);
    expect(sent[1]!.fields.customerEmail).toBe('sofia@mail.test');
  });

  test('returns the order of a first attempt that did arrive', async () => {
    const { send, sent } = setUp([noAnswer, problem(409, 'idempotency-conflict'), 'created']);
    await send(submission());
    const outcome = await send(submission({ customerEmail: 'sofia@mail.test' }));
    expect(outcome).toEqual({ kind: 'sent', orderToken: 'order-of-3' });
    expect(sent[2]).toEqual(sent[0]);
  });

  test('reports an arrived attempt whose pictures are gone, and creates no second order', async () => {
    const gone = new Set<string>();
    const { send, sent } = setUp([noAnswer, problem(409, 'idempotency-conflict')], gone);
    await send(submission({}, ['before-the-reload']));
    gone.add('before-the-reload');
    expect(await send(submission({}, ['p1']))).toEqual({ kind: 'arrived-before' });
    expect(sent).toHaveLength(2);
  });

  test('reports a refusal with its fields, and forgets the refused attempt', async () => {
    const refusal = new ApiProblem({
      status: 422,
      type: 'evidence-damaged',
      title: 'x',
      errors: [{ path: 'evidenceFiles.0', type: 'evidence-damaged', message: 'x' }],
    });
    const { send, kept } = setUp([refusal]);
    expect(await send(submission())).toMatchObject({
      kind: 'refused',
      fields: [{ path: 'evidenceFiles.0' }],
    });
    expect(kept()?.tries).toEqual([]);
  });

  test.each([500, 503, 504])(
    'keeps an attempt with unknown result after a %d, to be repeated',
    async (status) => {
      const { send, kept } = setUp([problem(status, 'unavailable')]);
      await send(submission());
      expect(kept()?.tries).toHaveLength(1);
    },
  );

  test('asks to confirm out-of-date prices before sending again', async () => {
    const { send, kept } = setUp([problem(409, 'quote-expired')]);
    expect(await send(submission())).toEqual({ kind: 'quote-expired' });
    expect(kept()?.tries).toEqual([]);
  });

  test('a stopped attempt may have arrived', async () => {
    const { send, kept } = setUp([new DOMException('off', 'AbortError')]);
    expect(await send(submission())).toEqual({ kind: 'stopped' });
    expect(kept()?.tries).toHaveLength(1);
  });
});
