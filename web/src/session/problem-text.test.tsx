import { afterEach, expect, test } from '@jest/globals';
import { cleanup } from '@testing-library/react';
import { ApiProblem } from '../api/problem.ts';
import type { Language } from '../i18n/languages.ts';
import { renderScreen } from '../testing/render.tsx';
import { useProblemText } from './problem-text.ts';

afterEach(cleanup);

function Told({ error }: { error: unknown }) {
  return <p>{useProblemText()(error, { failed: 'It failed', network: 'No network' })}</p>;
}
const told = async (error: unknown, language: Language = 'en') => {
  const { container } = await renderScreen(<Told error={error} />, { texts: [], language });
  return container.textContent;
};
const problem = (type: string, status: number, retryAfterSeconds?: number) =>
  new ApiProblem({ type, status, title: 'as the server says it', retryAfterSeconds });

test.each([
  [problem('too-many-requests', 429, 1), 'Too many attempts. Please wait a moment. Try again in 1 second.'],
  [
    problem('too-many-requests', 429, 45),
    'Too many attempts. Please wait a moment. Try again in 45 seconds.',
  ],
  [
    problem('unavailable', 503, 540),
    'This is not available right now. Please try again shortly. Try again in 9 minutes.',
  ],
  [problem('unavailable', 503), 'This is not available right now. Please try again shortly.'],
  [problem('network', 0), 'No network'],
  [problem('unknown', 500), 'It failed'],
  [new TypeError('a fault of ours'), 'It failed'],
  [problem('newer-than-this-page', 409), 'as the server says it'],
])('%j is told as %j', async (error, text) => {
  expect(await told(error)).toBe(text);
});

test('the wait is told in the language of the page', async () => {
  expect(await told(problem('too-many-requests', 429, 61), 'es')).toBe(
    'Demasiados intentos. Espera un momento. Intenta de nuevo en 2 minutos.',
  );
});
