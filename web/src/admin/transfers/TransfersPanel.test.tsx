import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { call } from '../../api/client.ts';
import { ADMIN, refusal, transfer } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { compareAmounts, parseAmount } from './AmountComparison.tsx';
import type { Transfer } from './transfers.ts';
import { TransfersPanel } from './TransfersPanel.tsx';

describe('TransfersPanel', () => {
  const LIST = 'GET /api/admin/manual-payments/pending-verification';

  const VERIFY = 'POST /api/admin/manual-payments/verify/{id}';

  const REJECT = 'POST /api/admin/manual-payments/reject/{id}';

  const EVIDENCE = 'GET /api/admin/manual-payments/evidence/{filename}';

  const BY = { role: 'admin', id: ADMIN.id, name: ADMIN.name } as const;

  const AT = '2026-11-21T15:00:00Z';

  beforeEach(() => {
    URL.createObjectURL = () => 'blob:proof';
    URL.revokeObjectURL = () => undefined;
  });

  afterEach(cleanup);

  const list = (orders: Transfer[]) => ({
    body: { orders, total: orders.length, oldestAt: orders[0]?.createdAt },
  });

  const picture = () => ({ body: new Blob(['jpeg'], { type: 'image/jpeg' }) });

  const session = { person: ADMIN, call, logIn: () => undefined, logOut: () => undefined };

  const open = (at = '/') =>
    renderScreen(<TransfersPanel session={session} />, { texts: ['admin', 'panels'], at });

  const review = async (name = 'Review the transfer of Felipe Barrera') => {
    fireEvent.click(await screen.findByRole('button', { name }));
    return within(await screen.findByRole('dialog', { name: 'Review transfer' }));
  };

  const press = (where: Pick<typeof screen, 'getByRole'>, name: string | RegExp) =>
    fireEvent.click(where.getByRole('button', { name }));

  test('shows the spec’s empty state without transfers', async () => {
    fakeApi({ [LIST]: () => list([]) });
    await open();
    await screen.findByText('No pending manual payments.');
  });

  test('shows each transfer with its flags', async () => {
    fakeApi({ [LIST]: () => list([transfer({ manualPayment: { flags: [{ type: 'file-used-before' }] } })]) });
    await open();
    const row = within(await screen.findByRole('row', { name: /Felipe Barrera/ }));
    for (const text of [
      'felipe@mail.test',
      'Bancolombia transfer',
      'COP 288,050',
      '20 November 2026',
      'File used before',
    ])
      expect(row.getByText(text)).toBeTruthy();
    expect(row.getByRole('button', { name: 'Review the transfer of Felipe Barrera' }).textContent).toBe(
      'Review',
    );
  });

  test('the review shows customer, payment and evidence, with original name and size', async () => {
    fakeApi({ [LIST]: () => list([transfer()]), [EVIDENCE]: picture });
    await open('/?transfer=65f0c0ffee0000000006bbe0');
    const dialog = within(await screen.findByRole('dialog', { name: 'Review transfer' }));
    await dialog.findByRole('img', { name: 'Proof IMG_1187.jpg' });
    for (const text of [
      'Felipe Barrera',
      'felipe@mail.test',
      '+57 300 555 0188',
      'Colombia',
      'Bancolombia transfer',
      'COP 288,050',
      '20, forest patch',
      /20 November 2026/,
      'ARB-C41D08',
      'To verify',
      'IMG_1187.jpg',
      '412 KB',
    ])
      expect(dialog.getAllByText(text).length).toBeGreaterThan(0);
  });

  test('says that nothing is unusual only of a transfer with one of our references', async () => {
    fakeApi({
      [LIST]: () =>
        list([
          transfer({ customerName: 'Felipe Uno' }),
          transfer({ _id: 'b', customerName: 'Felipe Dos', manualPayment: { referenceOrigin: 'other' } }),
          transfer({ _id: 'c', customerName: 'Felipe Tres', manualPayment: { referenceOrigin: 'none' } }),
        ]),
    });
    await open();
    for (const [name, says] of [
      ['Uno', 'Nothing unusual'],
      ['Dos', 'Reference is not ours'],
      ['Tres', 'No reference'],
    ])
      expect(
        within(await screen.findByRole('row', { name: new RegExp(`Felipe ${name}`) })).getByText(says!),
      ).toBeTruthy();
  });

  const REFERENCES: [Partial<Transfer['manualPayment']>, string][] = [
    [{ referenceOrigin: 'ours' }, 'ARB-C41D08ARB-C41D08Same'],
    [{ referenceOrigin: 'mistyped' }, 'One of ours, such as ARB-7K3Q9FARB-C41D08Reference mistyped'],
    [{ referenceOrigin: 'other', referenceNumber: 'M1' }, 'One of ours, such as ARB-7K3Q9FM1Not ours'],
    [{ referenceOrigin: 'none', referenceNumber: undefined }, 'One of ours, such as ARB-7K3Q9FNot given'],
    [
      { referenceOrigin: 'ours', flags: [{ type: 'reference-used-before' }] },
      'ARB-C41D08ARB-C41D08Reference used before',
    ],
  ];

  test.each(REFERENCES)('compares the expected reference: %j', async (manualPayment, says) => {
    fakeApi({
      [LIST]: () => list([transfer({ manualPayment })]),
      [EVIDENCE]: picture,
    });
    await open();
    const dialog = await review();
    const row = (await dialog.findAllByRole('row')).find(({ textContent }) => textContent.startsWith('Ref'))!;
    expect(row.textContent).toBe(`Reference${says}`);
  });

  const STATEMENTS: [Transfer['manualPayment']['statement'], string][] = [
    [
      {
        rows: [{ rowId: 'r1', day: '2026-03-12', amount: 28_805_000, currency: 'COP' }],
        lastDay: '2026-03-15',
      },
      'Yes, 12 March 2026, COP 288,050',
    ],
    [{ rows: [], lastDay: '2026-03-11' }, 'Not yet; last statement of 11 March 2026'],
    [{ rows: [] }, 'No statement was imported yet'],
  ];

  test.each(STATEMENTS)('says whether the money is on the statement: %j', async (statement, says) => {
    fakeApi({
      [LIST]: () => list([transfer({ manualPayment: { statement } })]),
      [EVIDENCE]: picture,
    });
    await open();
    const dialog = await review();
    const row = await dialog.findByRole('row', { name: /^On the statement/ });
    expect(row.textContent.replace(/\s/g, ' ')).toBe(`On the statement${says}`);
  });

  test('replaces evidence that cannot be loaded by a text', async () => {
    fakeApi({ [LIST]: () => list([transfer()]), [EVIDENCE]: () => refusal(404, 'not-found') });
    await open();
    const dialog = await review();
    await waitFor(() => expect(dialog.getByText('This picture could not be loaded.')).toBeTruthy(), {
      timeout: 5000,
    });
    expect(dialog.queryByRole('img')).toBeNull();
  });

  test('compares received and expected amounts, and sends minor units', async () => {
    const approved = transfer({
      manualPayment: {
        verificationStatus: 'approved',
        approval: { by: BY, at: AT, amountReceived: 28_000_000 },
      },
    });
    const requests = fakeApi({
      [LIST]: () => list([transfer()]),
      [EVIDENCE]: picture,
      [VERIFY]: () => ({ body: { success: true, order: approved } }),
    });
    await open();
    const dialog = await review();
    fireEvent.change(await dialog.findByLabelText('Amount received'), { target: { value: '280.000' } });
    expect(dialog.getByText('COP 8,050 less')).toBeTruthy();
    press(dialog, 'Approve Payment');
    const asked = within(await screen.findByRole('dialog', { name: 'Approve this payment?' }));
    const confirm = asked.getByRole('button', { name: /^Approve COP/ });
    fireEvent.click(confirm);
    fireEvent.click(confirm);
    await dialog.findByText('Payment verified successfully!');
    const sent = requests.filter(({ key }) => key === VERIFY);
    expect(sent.map(({ body }) => body)).toEqual([{ amountReceived: 28_000_000 }]);
    expect(sent[0]!.headers['Idempotency-Key']).toBeTruthy();
  });

  test('refuses to approve an invalid amount', async () => {
    fakeApi({ [LIST]: () => list([transfer()]), [EVIDENCE]: picture });
    await open();
    const dialog = await review();
    fireEvent.change(await dialog.findByLabelText('Amount received'), { target: { value: 'all of it' } });
    expect(dialog.getByText('Not an amount. Example: 288050')).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Approve Payment' }).disabled).toBe(true);
  });

  test('a rejection needs a reason; suggestions are in the donor’s language', async () => {
    const rejected = transfer({
      manualPayment: { verificationStatus: 'rejected', rejection: { by: BY, at: AT, reason: 'No llegó' } },
    });
    const requests = fakeApi({
      [LIST]: () => list([transfer()]),
      [EVIDENCE]: picture,
      'GET /api/admin/orders/{id}/payment': () => ({ body: { payment: { language: 'es' } } }),
      [REJECT]: () => ({ body: { success: true, order: rejected } }),
    });
    await open();
    const dialog = await review();
    await dialog.findByText('Felipe Barrera reads this as you write it, and chose Spanish.');
    press(dialog, 'Reject Payment');
    expect(await dialog.findByText('Write why, or choose a common reason above.')).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: 'Reject this payment?' })).toBeNull();
    fireEvent.change(await dialog.findByLabelText('Common reasons'), { target: { value: 'not-found' } });
    press(dialog, 'Reject Payment');
    press(
      within(await screen.findByRole('dialog', { name: 'Reject this payment?' })),
      'Reject and write to the donor',
    );
    await dialog.findByText('Payment rejected');
    expect(requests.find(({ key }) => key === REJECT)!.body).toEqual({
      reason:
        'No encontramos esta transferencia en nuestra cuenta (ARB-C41D08). Revísala con tu banco y envíala otra vez.',
    });
  });

  test.each([
    ['approve', 'Approve Payment', /^Approve COP/, /^Failed to verify payment/],
    ['reject', 'Reject Payment', /^Reject and write/, /^Failed to reject payment/],
  ])(
    'a lost answer to %s says so, keeps what was typed and can be sent again',
    async (_kind, act, confirm, failed) => {
      const requests = fakeApi({
        [LIST]: () => list([transfer()]),
        [EVIDENCE]: picture,
        [VERIFY]: () => 'lost',
        [REJECT]: () => 'lost',
      });
      await open();
      const dialog = await review();
      fireEvent.change(await dialog.findByLabelText('Reason, if you reject it'), {
        target: { value: 'Not there' },
      });
      press(dialog, act);
      await screen.findByRole('button', { name: confirm });
      press(screen, confirm);
      await screen.findByText(failed);
      press(screen, confirm);
      await waitFor(() => {
        const sent = requests.filter(({ key }) => key === VERIFY || key === REJECT);
        expect(sent).toHaveLength(2);
        expect(new Set(sent.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(1);
      });
    },
  );

  test('reports a concurrent decision with its author', async () => {
    let decided = false;
    const theirs = transfer({
      manualPayment: {
        verificationStatus: 'approved',
        approval: { by: { role: 'admin', id: 'a2', name: 'Carolina Mesa' }, at: AT },
      },
    });
    fakeApi({
      [LIST]: () => list(decided ? [theirs] : [transfer()]),
      [EVIDENCE]: picture,
      [VERIFY]: () => {
        decided = true;
        return refusal(409, 'transfer-already-approved');
      },
    });
    await open();
    const dialog = await review();
    await dialog.findByLabelText('Amount received');
    press(dialog, 'Approve Payment');
    press(await waitFor(() => screen), /^Approve COP/);
    await dialog.findByText(/Approved by Carolina Mesa/);
    expect(dialog.getByText(/Your decision was not recorded/)).toBeTruthy();
    expect(dialog.queryByText('Payment verified successfully!')).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Approve Payment' })).toBeNull();
  });

  test('an amount for two admins is approved once here and waits for the other', async () => {
    const half = transfer({ manualPayment: { needsSecondAdmin: true, firstApproval: { by: BY, at: AT } } });
    fakeApi({ [LIST]: () => list([half]), [EVIDENCE]: picture });
    await open();
    const dialog = await review();
    await dialog.findByText(/First approval by you/);
    expect(dialog.getByText(/Someone else has to approve it/)).toBeTruthy();
  });

  test('offers the next transfer after a decision', async () => {
    const second = transfer({ _id: '65f0c0ffee0000000006bbe9', shortId: '06BBE9', customerName: 'Nora Lin' });
    const done = transfer({
      manualPayment: { verificationStatus: 'approved', approval: { by: BY, at: AT } },
    });
    fakeApi({
      [LIST]: () => list([transfer(), second]),
      [EVIDENCE]: picture,
      [VERIFY]: () => ({ body: { success: true, order: done } }),
    });
    await open();
    const dialog = await review();
    await dialog.findByLabelText('Amount received');
    press(dialog, 'Approve Payment');
    press(screen, /^Approve COP/);
    fireEvent.click(await dialog.findByRole('button', { name: 'Next transfer' }));
    await dialog.findByText(/Order 06BBE9/);
  });

  test('reports an address of an unknown transfer', async () => {
    fakeApi({ [LIST]: () => list([]) });
    await open('/?transfer=65f0c0ffee0000000006bbe0');
    await screen.findByText('There is no transfer with this address.');
  });

  test('sends an approval only after confirmation', async () => {
    const requests = fakeApi({ [LIST]: () => list([transfer()]), [EVIDENCE]: picture });
    await open();
    const dialog = await review();
    await dialog.findByLabelText('Amount received');
    press(dialog, 'Approve Payment');
    const asked = within(await screen.findByRole('dialog', { name: 'Approve this payment?' }));
    press(asked, 'Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Approve this payment?' })).toBeNull());
    expect(requests.filter(({ key }) => key === VERIFY)).toEqual([]);
  });
});

test('parses received amounts in both countries’ formats', () => {
  expect(parseAmount('288.050', 'COP')).toBe(28_805_000);
  expect(parseAmount('288,050', 'COP')).toBe(28_805_000);
  expect(parseAmount('about 20', 'COP')).toBeUndefined();
});

test('compares received and expected amounts', () => {
  expect(compareAmounts(500, 500)).toEqual({ kind: 'same' });
  expect(compareAmounts(500, 450)).toEqual({ kind: 'less', byMinor: 50 });
  expect(compareAmounts(500, 700)).toEqual({ kind: 'more', byMinor: 200 });
});
