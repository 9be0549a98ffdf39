import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { hasTexts, startI18n } from './setup.ts';
import { TEXTS } from './texts.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const texts = (language: string) => ({ close: language === 'en' ? 'Close' : 'Cerrar' });

test('a file that does not arrive is asked for five times more, after 350 ms and then twice as long each time', async () => {
  const asked: number[] = [];
  const started = Date.now();
  const starting = startI18n('en', () => {
    asked.push(Date.now() - started);
    return Promise.reject(new Error('lost'));
  });
  await jest.runAllTimersAsync();
  expect(asked).toEqual([0, 350, 1050, 2450, 5250, 10_850]);
  expect(hasTexts(await starting)).toBe(false);
});

test('a file that arrives at the third attempt is used', async () => {
  let attempts = 0;
  const starting = startI18n('es', (language) =>
    ++attempts < 3 ? Promise.reject(new Error('lost')) : Promise.resolve(texts(language)),
  );
  await jest.runAllTimersAsync();
  const i18n = await starting;
  expect([attempts, i18n.t('close')]).toEqual([3, 'Cerrar']);
});

test('English stands in for a language that never arrives', async () => {
  const starting = startI18n('es', (language) =>
    language === 'es' ? Promise.reject(new Error('lost')) : Promise.resolve(texts(language)),
  );
  await jest.runAllTimersAsync();
  const i18n = await starting;
  expect([i18n.language, i18n.t('close'), hasTexts(i18n)]).toEqual(['es', 'Close', true]);
});

test('no more than ten files are read at once', async () => {
  let reading = 0;
  let most = 0;
  const starting = startI18n('en', async () => {
    most = Math.max(most, ++reading);
    await new Promise((resolve) => setTimeout(resolve, 50));
    reading--;
    return {};
  });
  await jest.runAllTimersAsync();
  const loading = (await starting).loadNamespaces(Object.keys(TEXTS.en));
  await jest.runAllTimersAsync();
  await loading;
  expect(Object.keys(TEXTS.en).length).toBeGreaterThan(11);
  expect(most).toBe(10);
});

test('a count in a sentence is written by the rules of its language', async () => {
  jest.useRealTimers();
  for (const [language, text] of [
    ['en', '10,000 trees'],
    ['es', '10.000 árboles'],
  ] as const) {
    const i18n = await startI18n(language);
    expect(i18n.t('trees', { count: 10_000 })).toBe(text);
  }
});
