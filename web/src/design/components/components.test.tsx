import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Activity, useState } from 'react';
import { renderScreen } from '../../testing/render.tsx';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { Field } from './Field.tsx';
import { Money } from './Money.tsx';
import { Tabs } from './Tabs.tsx';

afterEach(cleanup);

test('a working button says what is going on and takes no second press', () => {
  let presses = 0;
  const { rerender } = render(<Button onClick={() => presses++}>Pay</Button>);
  fireEvent.click(screen.getByRole('button', { name: 'Pay' }));
  rerender(
    <Button working="Confirming…" onClick={() => presses++}>
      Pay
    </Button>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Confirming…' }));
  expect(presses).toBe(1);
});

test('a field’s error and hint belong to its control', () => {
  render(<Field label="Email" hint="Your receipt goes here." error="Try name@mail.com" />);
  const input = screen.getByLabelText('Email');
  expect(input.getAttribute('aria-invalid')).toBe('true');
  const described = input.getAttribute('aria-describedby')!.split(' ');
  expect(described.map((id) => document.getElementById(id)!.textContent)).toEqual([
    'Try name@mail.com',
    'Your receipt goes here.',
  ]);
});

test('tabs are moved through with the arrow keys', () => {
  function Desk() {
    const [chosen, choose] = useState<'orders' | 'payments'>('orders');
    return (
      <Tabs
        label="Desk"
        tabs={[
          { name: 'orders', label: 'Orders', count: '1,284' },
          { name: 'payments', label: 'Payments' },
        ]}
        chosen={chosen}
        onChoose={choose}
      >
        {`panel of ${chosen}`}
      </Tabs>
    );
  }
  render(<Desk />);
  fireEvent.keyDown(screen.getByRole('tab', { name: /Orders/ }), { key: 'ArrowRight' });
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Payments');
  expect(document.activeElement?.textContent).toBe('Payments');
  expect(screen.getByRole('tabpanel').textContent).toBe('panel of payments');
  fireEvent.keyDown(screen.getByRole('tab', { name: 'Payments' }), { key: 'ArrowRight' });
  expect(screen.getByRole('tab', { selected: true }).textContent).toContain('Orders');
});

test('a dialog carries its title as its name and closes with its cross', async () => {
  let closed = 0;
  await renderScreen(
    <Dialog open onClose={() => closed++} title="Change order status?">
      <p>Sofía gets an email.</p>
    </Dialog>,
    { texts: [] },
  );
  expect(screen.getByRole('dialog', { name: 'Change order status?' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(closed).toBe(1);
});

test('a large amount keeps its code beside the figure, by the rules of the language', async () => {
  const { container } = await renderScreen(<Money amountMinor={8_230_000} currency="COP" size="large" />, {
    texts: [],
    language: 'es',
  });
  expect(container.textContent).toBe('COP\u00a082.300,00');
});

test('a dialog that is out of sight for a while is open when it is back, and nobody is told it was closed', async () => {
  let closed = 0;
  function Page() {
    const [away, setAway] = useState(false);
    return (
      <>
        <button onClick={() => setAway(!away)}>{away ? 'back' : 'away'}</button>
        <Activity mode={away ? 'hidden' : 'visible'}>
          <Dialog open onClose={() => closed++} title="Edit the order">
            <input aria-label="Note" />
          </Dialog>
        </Activity>
      </>
    );
  }
  await renderScreen(<Page />, { texts: [] });
  const dialog = document.querySelector('dialog')!;
  fireEvent.change(screen.getByLabelText('Note'), { target: { value: 'half a sentence' } });
  fireEvent.click(screen.getByText('away'));
  await waitFor(() => expect(dialog.open).toBe(false));
  fireEvent.click(screen.getByText('back'));
  await waitFor(() => expect(dialog.open).toBe(true));
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('half a sentence');
  expect(closed).toBe(0);
});
