import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { renderScreen } from '../../testing/render.tsx';
import { BarChart } from './BarChart.tsx';

afterEach(cleanup);

const bars = [1, 0, 4].map((value, at) => ({ label: `day ${at + 1}`, value, text: `${value} orders` }));
const open = () =>
  renderScreen(<BarChart title="Orders by day" bars={bars} scale={String} />, { texts: ['desk'] });
const slider = () => screen.getByRole('slider', { name: 'Orders by day' });
const said = () => slider().getAttribute('aria-valuetext');

test('values are reached by the keyboard, and said in words', async () => {
  await open();
  expect(said()).toBe('day 3: 4 orders');
  fireEvent.keyDown(slider(), { key: 'ArrowLeft' });
  expect(said()).toBe('day 2: 0 orders');
  fireEvent.keyDown(slider(), { key: 'Home' });
  fireEvent.keyDown(slider(), { key: 'ArrowLeft' });
  expect(said()).toBe('day 1: 1 orders');
  fireEvent.keyDown(slider(), { key: 'End' });
  expect(said()).toBe('day 3: 4 orders');
});

test('all values stand in a table, too', async () => {
  await open();
  for (const { label, text } of bars)
    expect(screen.getByRole('row', { name: `${label} ${text}` })).toBeTruthy();
});
