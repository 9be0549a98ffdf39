import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Activity, useState } from 'react';
import { renderScreen } from '../../test/render.tsx';
import { DesignPage } from '../../app/design-page/DesignPage.tsx';
import { Button } from './Button.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Dialog } from './Dialog.tsx';
import { Field } from './Field.tsx';
import { MapCard } from './MapCard.tsx';
import { Money } from './Money.tsx';
import { photoAddress } from './photo.ts';
import { PhotoGrid } from './PhotoGrid.tsx';
import { FormSkeleton, Skeleton } from './Skeleton.tsx';
import { Tabs } from './Tabs.tsx';
import { Toasts, useToast } from './Toasts.tsx';

afterEach(cleanup);

test('a working button shows its progress and ignores presses', () => {
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

test.each([
  ['a text', Skeleton],
  ['a form', FormSkeleton],
])('%s that is loading is named for screen readers, and busy', (_name, Shape) => {
  render(<Shape label="Loading the form" />);
  expect(screen.getByRole('status').textContent).toBe('Loading the form');
  const busy = document.querySelector('[aria-busy=true]')!;
  expect(busy.textContent).toBe('');
  expect(busy.contains(screen.getByRole('status'))).toBe(false);
});

test('a field’s error and hint describe its control', () => {
  render(<Field label="Email" hint="Your receipt goes here." error="Try name@mail.com" />);
  const input = screen.getByLabelText('Email');
  expect(input.getAttribute('aria-invalid')).toBe('true');
  const described = input.getAttribute('aria-describedby')!.split(' ');
  expect(described.map((id) => document.getElementById(id)!.textContent)).toEqual([
    'Try name@mail.com',
    'Your receipt goes here.',
  ]);
});

test('arrow keys move through tabs', () => {
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

test('a dialog is named by its title and closes by its cross', async () => {
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

test('a large amount shows its code beside the figure in the language’s format', async () => {
  const { container } = await renderScreen(<Money amountMinor={8_230_000} currency="COP" size="large" />, {
    texts: [],
    language: 'es',
  });
  expect(container.textContent).toBe('COP\u00a082.300');
});

test('a hidden dialog stays open and reports no closing', async () => {
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

describe('MapCard', () => {
  let online = true;

  beforeEach(() => {
    online = true;
    jest.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  });

  afterEach(() => {
    cleanup();
    localStorage.clear();
    jest.useRealTimers();
  });

  const open = () =>
    renderScreen(<MapCard coordinates={{ latitude: 4.637214, longitude: -75.487031 }} facts={[]} />, {
      texts: [],
    });

  const show = () => fireEvent.click(screen.getByRole('button', { name: 'Show satellite map' }));

  const frame = () => screen.queryByTitle('Satellite map, zoom 15');

  test('the satellite picture loads on request, may stay blank, and can be closed', async () => {
    await open();
    expect(frame()).toBeNull();
    show();
    screen.getByText('Loading the satellite image');
    fireEvent.load(frame()!);
    screen.getByText(/Nothing to see\?/);
    fireEvent.click(screen.getByRole('button', { name: 'Show the drawing' }));
    expect(frame()).toBeNull();
    screen.getByText(/which will know you viewed it/);
  });

  test('offline the drawing stays with a notice, and a retry works once online', async () => {
    online = false;
    await open();
    show();
    screen.getByText('You are offline. The satellite image needs a connection.');
    expect(frame()).toBeNull();
    online = true;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(frame()).not.toBeNull();
    fireEvent(window, new Event('offline'));
    screen.getByText('You are offline. The satellite image needs a connection.');
  });

  test('the drawing and coordinates return when nothing loads', async () => {
    await open();
    jest.useFakeTimers();
    show();
    act(() => jest.advanceTimersByTime(16_000));
    screen.getByText(/The satellite image didn’t load/);
    expect(frame()).toBeNull();
    screen.getByText('4.637214, -75.487031');
  });
});

describe('confirmation dialog', () => {
  const open = (changes: Partial<Parameters<typeof ConfirmDialog>[0]> = {}) => {
    const acts: string[] = [];
    const shown = renderScreen(
      <ConfirmDialog
        open
        title="Reject this payment?"
        confirm="Reject payment"
        onConfirm={() => acts.push('confirmed')}
        onClose={() => acts.push('closed')}
        {...changes}
      >
        <p>The donor gets an email with the reason.</p>
      </ConfirmDialog>,
      { texts: [] },
    );
    return shown.then(() => acts);
  };

  test('names the action and can be cancelled', async () => {
    const acts = await open();
    expect(screen.getByRole('dialog', { name: 'Reject this payment?' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    fireEvent.click(screen.getByRole('button', { name: 'Reject payment' }));
    expect(acts).toEqual(['closed', 'confirmed']);
  });

  test('shows why the action failed and stays open', async () => {
    await open({ error: 'Failed to reject payment' });
    expect(screen.getByRole('alert').textContent).toBe('Failed to reject payment');
  });

  test('cannot be confirmed twice while working', async () => {
    const acts = await open({ working: 'Rejecting' });
    fireEvent.click(screen.getByRole('button', { name: 'Rejecting' }));
    expect(acts).toEqual([]);
  });
});

describe('a toast', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function Page() {
    const show = useToast();
    return (
      <>
        <button onClick={() => show({ kind: 'good', text: 'Saved.' })}>save</button>
        <button onClick={() => show({ kind: 'wrong', text: 'Not saved.' })}>fail</button>
      </>
    );
  }
  const open = async (name: string) => {
    const starting = renderScreen(
      <Toasts>
        <Page />
      </Toasts>,
      { texts: [] },
    );
    await jest.advanceTimersByTimeAsync(50);
    await starting;
    fireEvent.click(screen.getByText(name));
  };
  const later = (ms: number) => act(() => jest.advanceTimersByTime(ms));

  test('disappears on its own, but not under the pointer', async () => {
    await open('save');
    const toasts = screen.getByText('Saved.').closest('[aria-live]')!;
    fireEvent.pointerEnter(toasts);
    later(60_000);
    expect(screen.queryByText('Saved.')).not.toBeNull();
    fireEvent.pointerLeave(toasts);
    later(6_000);
    expect(screen.queryByText('Saved.')).toBeNull();
  });

  test('stays while focused', async () => {
    await open('save');
    fireEvent.focus(screen.getByRole('button', { name: 'Close' }));
    later(60_000);
    expect(screen.queryByText('Saved.')).not.toBeNull();
  });

  test('stays until closed when it shows an error', async () => {
    await open('fail');
    later(600_000);
    expect(screen.getByRole('alert').textContent).toBe('Not saved.');
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText('Not saved.')).toBeNull();
  });
});

describe('thirty photos', () => {
  const photos = Array.from({ length: 30 }, (_, at) => ({
    filename: `photo-${at}.jpg`,
    width: 1600,
    height: 1200,
    uploadedAt: '2026-12-12T14:45:00Z',
  }));
  const place = () => screen.queryByText(/^\d+ of 30$/)?.textContent;
  function Album() {
    const [shown] = useState(photos);
    return <PhotoGrid photos={shown} />;
  }

  test('open in the lightbox at the chosen one', async () => {
    await renderScreen(<Album />, { texts: [] });
    fireEvent.click(screen.getAllByRole('button')[4]!);
    await waitFor(() => expect(place()).toBe('5 of 30'));
    expect(screen.getByRole('dialog', { name: 'Photos from the field' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('omit one that cannot be loaded', async () => {
    await renderScreen(<Album />, { texts: [] });
    fireEvent.error(screen.getAllByRole('img')[0]!);
    expect(screen.getAllByRole('img')).toHaveLength(29);
  });
});

test('order photos load from the server at the requested width, app pictures from their own address', () => {
  expect(photoAddress({ filename: 'a b.jpg' }, 320)).toBe('/api/photos/a%20b.jpg?w=320');
  expect(photoAddress({ filename: '/assets/valley.webp' }, 320)).toBe('/assets/valley.webp');
});

test.each([
  ['en', 'Table', 'Photos'],
  ['es', 'Tabla', 'Fotos'],
] as const)('in %s the page of the design has its table and photos', async (language, table, photos) => {
  await renderScreen(<DesignPage />, { texts: [], language, at: '/design' });
  const rows = within(screen.getByRole('table', { name: table })).getAllByRole('row');
  expect(rows).toHaveLength(4);
  const shown = within(screen.getByRole('region', { name: photos })).getAllByRole('img');
  expect(shown).toHaveLength(3);
});
