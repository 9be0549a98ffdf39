import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { renderScreen } from '../../testing/render.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { PhotoGrid } from './PhotoGrid.tsx';
import { Toasts, useToast } from './Toasts.tsx';

afterEach(cleanup);

describe('a question before an act', () => {
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

  test('names the act and goes back without it', async () => {
    const acts = await open();
    expect(screen.getByRole('dialog', { name: 'Reject this payment?' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    fireEvent.click(screen.getByRole('button', { name: 'Reject payment' }));
    expect(acts).toEqual(['closed', 'confirmed']);
  });

  test('says why it did not happen and stays open', async () => {
    await open({ error: 'Failed to reject payment' });
    expect(screen.getByRole('alert').textContent).toBe('Failed to reject payment');
  });

  test('is not confirmed twice while it works', async () => {
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

  test('goes by itself, but not under the pointer', async () => {
    await open('save');
    const toasts = screen.getByText('Saved.').closest('[aria-live]')!;
    fireEvent.pointerEnter(toasts);
    later(60_000);
    expect(screen.queryByText('Saved.')).not.toBeNull();
    fireEvent.pointerLeave(toasts);
    later(6_000);
    expect(screen.queryByText('Saved.')).toBeNull();
  });

  test('stays while the focus is in it', async () => {
    await open('save');
    fireEvent.focus(screen.getByRole('button', { name: 'Close' }));
    later(60_000);
    expect(screen.queryByText('Saved.')).not.toBeNull();
  });

  test('about an error stays until it is closed', async () => {
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

  test('open in the lightbox at the one that was chosen', async () => {
    await renderScreen(<Album />, { texts: [] });
    fireEvent.click(screen.getAllByRole('button')[4]!);
    await waitFor(() => expect(place()).toBe('5 of 30'));
    expect(screen.getByRole('dialog', { name: 'Photos from the field' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('one that cannot be loaded is left out', async () => {
    await renderScreen(<Album />, { texts: [] });
    fireEvent.error(screen.getAllByRole('img')[0]!);
    expect(screen.getAllByRole('img')).toHaveLength(29);
  });
});
