import { expect, test } from '@jest/globals';
import { showStartFailure } from './start-failure.ts';

const rootWith = (markup: string) => {
  const root = document.createElement('div');
  root.innerHTML = markup;
  return root;
};

test('an empty page says in both languages that nothing could be loaded', () => {
  const root = rootWith('');
  showStartFailure(root);
  expect([...root.querySelectorAll('p')].map(({ lang }) => lang)).toEqual(['en', 'es']);
  expect(root.querySelectorAll('a')).toHaveLength(2);
});

test('a prerendered page stays readable as it is', () => {
  const root = rootWith('<h1>Your tree has an address.</h1>');
  showStartFailure(root);
  expect(root.textContent).toBe('Your tree has an address.');
});
