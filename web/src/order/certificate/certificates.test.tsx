import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { zlibSync } from 'fflate';
import { useLocation } from 'react-router-dom';
import { openOrder } from '../../test/admin-orders.tsx';
import { keepToken } from '../../session/token-store.ts';
import { CUSTOMER, finishedAdminOrder, finishedOrder, refusal } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { CertificatePage } from './CertificatePage.tsx';
import type { Certificate } from './certificates.ts';
import { OrderCertificate } from './OrderCertificate.tsx';
import { codeInPdf } from './pdf-code.ts';
import { VerifyPage } from './VerifyPage.tsx';

const CODE = 'K7QF-M2XD-9WBN';

const certificate = (changes: Partial<Certificate> = {}): Certificate => ({
  code: CODE,
  state: 'valid',
  version: 2,
  issuedAt: '2027-03-14T15:00:00Z',
  name: 'Emma Clarke',
  language: 'en',
  trees: 5,
  place: 'La Carbonera, Salento, Quindío',
  country: 'CO',
  plantedOn: '2026-12-12',
  plantedBy: 'Marleny',
  completedOn: '2026-12-13',
  growthUpdates: 1,
  lastGrowthUpdateOn: '2027-03-14',
  photo: 'aaaaaaaaaaaaaaaaaaaaaa.jpg',
  issuer: 'Fundación Arboleda',
  ...changes,
});

const saved: { name: string; file: Blob }[] = [];

beforeEach(() => {
  let file: Blob;
  saved.length = 0;
  URL.createObjectURL = (given) => ((file = given as Blob), 'blob:file');
  HTMLAnchorElement.prototype.click = function () {
    saved.push({ name: this.download, file });
  };
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const labelled = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, value: string) => fireEvent.change(labelled(name), { target: { value } });

describe('the page of a certificate', () => {
  const open = (code = CODE, language: 'en' | 'es' = 'en') =>
    renderScreen(<CertificatePage />, {
      texts: ['certificate'],
      language,
      at: `/c/${code}`,
      pattern: '/c/:code',
    });
  const answers = (changes: Partial<Certificate> = {}) =>
    fakeApi({ 'GET /api/certificates/{code}': () => ({ body: certificate(changes) }) });
  const verdict = () => screen.findByRole('heading', { level: 1, name: /certific/ });

  test('says that it is valid, and all that it says', async () => {
    const requests = answers();
    await open('k7qf m2xd 9wbn');
    expect((await verdict()).textContent).toBe('This certificate is valid.');
    expect(requests[0]!.url).toBe(`/api/certificates/${CODE}`);
    const sheet = within(screen.getByRole('region', { name: '5 native trees planted in Colombia' }));
    for (const text of [
      'In the name of Emma Clarke',
      'La Carbonera, Salento, Quindío',
      '12 December 2026',
      'Marleny',
      '13 December 2026',
      '1, on 14 March 2027',
      CODE,
      '2, issued on 14 March 2027',
      'Fundación Arboleda',
    ])
      sheet.getByText(text);
    expect(sheet.getByRole<HTMLImageElement>('img').src).toContain('/api/photos/aaaaaaaaaaaaaaaaaaaaaa.jpg');
    expect(screen.getByRole('link', { name: 'Signed credential (JSON)' }).getAttribute('href')).toBe(
      `/api/certificates/${CODE}/credential`,
    );
  });

  test('says that it names no one, rather than nothing', async () => {
    answers({ name: null, trees: 1 });
    await open(CODE, 'es');
    await screen.findByText('Este certificado no lleva nombre.');
    screen.getByRole('heading', { name: '1 árbol nativo sembrado en Colombia' });
  });

  test('leads from an earlier version to the newest, without a name', async () => {
    answers({ state: 'superseded', version: 1, name: null, newest: { code: '0000-0000-0000', version: 3 } });
    await open();
    expect((await verdict()).textContent).toBe('There is a newer version of this certificate.');
    expect(screen.getByRole('link', { name: 'See version 3' }).getAttribute('href')).toBe(
      '/c/0000-0000-0000',
    );
    expect(screen.queryByText('This certificate names no one.')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Download PDF' })).toBeNull();
  });

  test.each([
    [{ cause: 'admin', reason: 'The plot was counted twice.' }, 'Reason: The plot was counted twice.'],
    [{ cause: 'withdrawn' }, 'Reason: the payment was returned before anything was planted.'],
    [{ cause: 'not_planted' }, 'Reason: the planting was recorded by mistake.'],
  ] as const)('says why and when it was revoked, and shows no trees: %j', async (revoked, reason) => {
    answers({ state: 'revoked', revoked: { at: '2027-04-01T15:00:00Z', ...revoked } });
    await open();
    expect((await verdict()).textContent).toBe('This certificate was revoked.');
    screen.getByText(reason);
    screen.getByText(/Revoked on 1 April 2027\./);
    expect(screen.queryByText(/planted in Colombia/)).toBeNull();
  });

  test('says that there is none with this code, which can be corrected', async () => {
    fakeApi({ 'GET /api/certificates/{code}': () => refusal(404, 'certificate-unknown') });
    await open();
    expect((await verdict()).textContent).toBe('There is no certificate with this code.');
    expect(labelled('Code of the certificate').value).toBe(CODE);
  });

  test('tells a typing error from an unknown code without asking the server', async () => {
    const requests = fakeApi({});
    await open('K7QF-M2XD-9WBM');
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(
      'This code has a typing error.',
    );
    screen.getByText(/I, L, O and U never occur\.$/);
    expect(labelled('Code of the certificate').value).toBe('K7QF-M2XD-9WBM');
    expect(requests).toEqual([]);
  });

  test('downloads the PDF under its code', async () => {
    fakeApi({
      'GET /api/certificates/{code}': () => ({ body: certificate() }),
      'GET /api/certificates/{code}/document': () => ({
        body: new Blob(['%PDF-'], { type: 'application/pdf' }),
      }),
    });
    await open();
    await verdict();
    press('Download PDF');
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual([`arboleda-${CODE}.pdf`]));
  });

  test('offers to try again when no answer comes', async () => {
    let works = false;
    fakeApi({ 'GET /api/certificates/{code}': () => (works ? { body: certificate() } : 'lost') });
    await open();
    await screen.findByText('We could not check the certificate');
    works = true;
    press('Try again');
    expect((await verdict()).textContent).toBe('This certificate is valid.');
  });
});

describe('checking', () => {
  function Address() {
    return <output>{useLocation().pathname}</output>;
  }
  const open = (language: 'en' | 'es' = 'en') =>
    renderScreen(
      <>
        <VerifyPage />
        <Address />
      </>,
      { texts: ['certificate'], language },
    );
  const address = () => screen.getAllByRole('status').at(-1)!.textContent;

  test.each([CODE, 'k7qf m2xd 9wbn', `https://arboleda.test/c/${CODE}?lang=es`])(
    'leads from %s to the certificate',
    async (typed) => {
      await open();
      type('Code of the certificate', typed);
      press('Check');
      await waitFor(() => expect(address()).toBe(`/c/${CODE}`));
    },
  );

  test('says beside the field what is wrong with a code', async () => {
    await open('es');
    press('Verificar');
    screen.getByText('Escribe el código del certificado');
    type('Código del certificado', 'K7QF-M2XD-9WBU');
    press('Verificar');
    screen.getByText(/Este código tiene un error de escritura\./);
    expect(labelled('Código del certificado').getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(labelled('Código del certificado'));
  });

  const choose = (file: File) => fireEvent.change(labelled('Choose the PDF'), { target: { files: [file] } });

  test('reads the code from a PDF, which is sent nowhere', async () => {
    const requests = fakeApi({});
    await open();
    choose(new File([`%PDF-1.7\n<< /Keywords (arboleda-certificate:${CODE}) >>`], 'certificate.pdf'));
    await waitFor(() => expect(address()).toBe(`/c/${CODE}`));
    expect(requests).toEqual([]);
  });

  test.each([
    ['a picture', new File(['GIF89a'], 'a.pdf'), /is not a PDF/],
    ['another PDF', new File(['%PDF-1.4 nothing'], 'a.pdf'), /no certificate code in this PDF/],
    ['a locked one', new File(['%PDF-1.7 trailer << /Encrypt 5 0 R >>'], 'a.pdf'), /locked with a password/],
    [
      '50 MB',
      Object.defineProperty(new File([], 'a.pdf'), 'size', { value: 50_000_000 }),
      /larger than 20 MB/,
    ],
  ])('says in plain words why %s has no code', async (_name, file, words) => {
    await open();
    choose(file);
    await screen.findByText(words);
  });
});

describe('the code in a PDF', () => {
  const found = (...parts: BlobPart[]) => codeInPdf(new File(['%PDF-1.7\n', ...parts], 'a.pdf'));
  const keyword = `arboleda-certificate:${CODE}`;

  test('is found in two-byte letters', async () => {
    expect(await found([...keyword].map((letter) => `\0${letter}`).join(''))).toEqual({ code: CODE });
  });

  test('is found in what a program has packed', async () => {
    const packed = zlibSync(new TextEncoder().encode(`<< /Keywords (${keyword}) >>`));
    const stream = ['7 0 obj << /Type /ObjStm /Filter /FlateDecode >> stream\r\n', packed, '\r\nendstream'];
    expect(await found(...(stream as BlobPart[]))).toEqual({ code: CODE });
  });

  test('is the last one, as programs append their changes', async () => {
    expect(await found(`(arboleda-certificate:0000-0000-0000) (${keyword})`)).toEqual({ code: CODE });
  });

  test('is no code with a typing error, nor a damaged stream', async () => {
    expect(await found('(arboleda-certificate:K7QF-M2XD-9WBM) /ObjStm stream\nxx\nendstream')).toEqual({
      problem: 'noCode',
    });
  });

  test('is not looked for in a file that cannot be read', async () => {
    const file = new File(['%PDF-'], 'a.pdf');
    file.arrayBuffer = () => Promise.reject(new Error('gone'));
    expect(await codeInPdf(file)).toEqual({ problem: 'unreadable' });
  });
});

describe('the certificate in an order', () => {
  const own = {
    code: CODE,
    version: 1,
    state: 'valid',
    language: 'en',
    issuedAt: '2026-12-14T15:00:00Z',
  } as const;
  const planted = finishedOrder();
  const show = (order: Parameters<typeof OrderCertificate>[0]['order'], language: 'en' | 'es' = 'en') =>
    renderScreen(<OrderCertificate order={order} />, { texts: ['certificate'], language });

  test('is announced before the trees are planted', async () => {
    await show(finishedOrder({ status: 'assigned', trees: 1 }));
    screen.getByText('You can get a certificate here once your tree is planted.');
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('is made with the name and language that the customer chooses', async () => {
    keepToken('customer', 'kept');
    const requests = fakeApi({
      'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
      'POST /api/customers/orders/{id}/certificate': () => ({
        body: { certificate: { ...own, name: 'Los Clarke', language: 'es' } },
      }),
      'GET /api/certificates/{code}': () => ({ body: certificate({ name: 'Los Clarke' }) }),
    });
    await show({ ...planted, customerName: 'Emma' });
    await waitFor(() => expect(requests.length).toBeGreaterThan(0));
    press('Get your certificate');
    await waitFor(() => expect(screen.queryByLabelText('Email of this order')).toBeNull());
    type('Name on the certificate', ' ');
    press('Make the certificate');
    screen.getByText('Enter a name, or show none');
    type('Name on the certificate', 'Los Clarke');
    fireEvent.change(screen.getByLabelText('Language'), { target: { value: 'es' } });
    press('Make the certificate');
    await screen.findByText('Your certificate is ready.');
    screen.getByText(CODE);
    screen.getByText('Los Clarke');
    expect(requests.find(({ key }) => key.startsWith('POST'))!.body).toEqual({
      name: 'Los Clarke',
      language: 'es',
    });
  });

  test('is made without a name for a guest who knows the order’s address', async () => {
    const requests = fakeApi({
      'POST /api/track/{token}/certificate': ({ body }) =>
        (body as { email: string }).email === 'emma@mail.test'
          ? { body: { certificate: { ...own, name: null } } }
          : refusal(422, 'validation-failed', 'x', [
              { path: 'email', type: 'not-the-orders-email', message: '' },
            ]),
      'GET /api/certificates/{code}': () => ({ body: certificate({ name: null }) }),
    });
    await show(planted);
    press('Get your certificate');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Show a name' }));
    press('Make the certificate');
    screen.getByText('Enter the email address of this order');
    expect(requests).toEqual([]);
    type('Email of this order', 'guess@mail.test');
    press('Make the certificate');
    await waitFor(() => expect(labelled('Email of this order').getAttribute('aria-invalid')).toBe('true'));
    type('Email of this order', 'emma@mail.test');
    press('Make the certificate');
    await screen.findByText('Your certificate is ready.');
    screen.getByText('None');
    expect(requests.filter(({ key }) => key.startsWith('POST')).at(-1)!.body).toEqual({
      name: null,
      language: 'en',
      email: 'emma@mail.test',
    });
  });

  test('asks a customer with another address for the order’s', async () => {
    keepToken('customer', 'kept');
    fakeApi({
      'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
      'POST /api/customers/orders/{id}/certificate': () => refusal(404, 'not-found'),
    });
    await show(planted);
    press('Get your certificate');
    await waitFor(() => expect(screen.queryByLabelText('Email of this order')).toBeNull());
    press('Make the certificate');
    await screen.findByText(/You are logged in with another address/);
    labelled('Email of this order');
  });

  test('is changed by a new version, whose name is filled in', async () => {
    fakeApi({ 'GET /api/certificates/{code}': () => ({ body: certificate() }) });
    await show({ ...planted, certificate: { ...own, name: 'Emma Clarke' } as typeof own });
    press('Change name or language');
    expect(labelled('Name on the certificate').value).toBe('Emma Clarke');
    screen.getByText(/A change makes a new version with a new code\./);
  });

  test('that was revoked for good says why, and cannot be made again', async () => {
    const revoked = { at: '2027-04-01T15:00:00Z', cause: 'admin', reason: 'Contado dos veces.' } as const;
    await show({ ...planted, certificate: { ...own, state: 'revoked', revoked } }, 'es');
    screen.getByText('Motivo: Contado dos veces.');
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('that was revoked because the planting was a mistake can be made again', async () => {
    const revoked = { at: '2027-04-01T15:00:00Z', cause: 'not_planted' } as const;
    await show({ ...planted, certificate: { ...own, state: 'revoked', revoked } });
    screen.getByRole('button', { name: 'Change name or language' });
  });

  test('cannot be made for an order whose buyer was erased', async () => {
    await show({ ...planted, customerName: '—' });
    screen.getByText('The buyer’s data was erased, so no certificate can be made.');
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('an admin', () => {
  const order = {
    ...finishedAdminOrder(),
    certificate: {
      code: CODE,
      version: 2,
      state: 'valid',
      language: 'en',
      issuedAt: '2026-12-14T15:00:00Z',
      name: 'Emma Clarke',
    },
  } as const;
  const revokedOrder = {
    ...order,
    certificate: {
      ...order.certificate,
      state: 'revoked',
      revoked: { at: '2027-04-01T15:00:00Z', cause: 'admin', reason: 'Counted twice.' },
    },
  };

  test('revokes a certificate for good, with a reason', async () => {
    let isRevoked = false;
    const requests = fakeApi({
      'GET /api/admin/orders/{id}': () => ({ body: { order: isRevoked ? revokedOrder : order } }),
      'POST /api/admin/certificates/{code}/revoke': () => {
        isRevoked = true;
        return { body: { order: revokedOrder } };
      },
    });
    await openOrder();
    const section = within(await screen.findByRole('region', { name: 'Certificate' }));
    section.getByText(CODE);
    section.getByText('2, issued on 14 December 2026');
    fireEvent.click(section.getByRole('button', { name: 'Revoke' }));
    await screen.findByText(/^This is for good:/);
    press('Revoke for good');
    screen.getByText('Enter a reason');
    expect(requests.some(({ key }) => key.startsWith('POST'))).toBe(false);
    fireEvent.change(screen.getByLabelText('Reason'), { target: { value: ' Counted twice. ' } });
    press('Revoke for good');
    await waitFor(() => expect(section.queryByRole('button', { name: 'Revoke' })).toBeNull());
    section.getByText('Counted twice.');
    expect(requests.find(({ key }) => key.startsWith('POST'))!.body).toEqual({ reason: 'Counted twice.' });
  });
});
