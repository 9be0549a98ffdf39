import { afterEach, expect, jest, test } from '@jest/globals';
import type { Stripe } from '@stripe/stripe-js';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { renderScreen } from '../../../test/render.tsx';
import { CardTrouble } from './CardTrouble.tsx';

const onTransfer = jest.fn();

/** Has the card library until the button is pressed, so that the waiting begins on a clock that stands still. */
function LosesLibrary() {
  const [data, setData] = useState<Stripe | undefined>({} as Stripe);
  const library = { data, isError: false, retry: () => undefined };
  return (
    <>
      <button onClick={() => setData(undefined)}>Wait</button>
      <CardTrouble library={library} frameFailed={false} onTransfer={onTransfer} />
    </>
  );
}

afterEach(() => void jest.useRealTimers());

test('after ten seconds without the card fields the other way to pay is offered', async () => {
  await renderScreen(<LosesLibrary />, { texts: ['checkout'] });
  jest.useFakeTimers();
  fireEvent.click(screen.getByRole('button', { name: 'Wait' }));
  act(() => jest.advanceTimersByTime(9_999));
  expect(screen.queryByRole('status')).toBeNull();
  act(() => jest.advanceTimersByTime(1));
  expect(screen.getByRole('status').textContent).toContain('The card form is taking longer than usual');
  fireEvent.click(screen.getByRole('button', { name: 'Pay by bank transfer' }));
  expect(onTransfer).toHaveBeenCalledTimes(1);
});
