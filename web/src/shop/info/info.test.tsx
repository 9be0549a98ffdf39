import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { HELP } from '../../content/pages/help.ts';
import { PRIVACY } from '../../content/pages/privacy.ts';
import { TERMS } from '../../content/pages/terms.ts';
import { LANGUAGES } from '../../i18n/languages.ts';
import { renderScreen } from '../../test/render.tsx';
import { InfoPage } from './InfoPage.tsx';

afterEach(cleanup);

test.each([
  ['help', HELP],
  ['privacy', PRIVACY],
  ['terms', TERMS],
])('%s shows the same sections in both languages, each with an anchor', async (_name, pages) => {
  for (const language of LANGUAGES) {
    await renderScreen(<InfoPage pages={pages} />, { texts: [], language });
    screen.getByRole('heading', { level: 1, name: pages[language].title });
    const sections = screen.getAllByRole('heading', { level: 2 });
    expect(sections.map((heading) => heading.textContent)).toEqual(
      pages[language].sections.map(({ title }) => title),
    );
    cleanup();
  }
  expect(pages.es.sections.map(({ id, paragraphs }) => [id, paragraphs.length])).toEqual(
    pages.en.sections.map(({ id, paragraphs }) => [id, paragraphs.length]),
  );
});

test('the help names the basis of every figure, in both languages', () => {
  for (const language of LANGUAGES) {
    const claims = HELP[language].sections.find(({ id }) => id === 'claims')!.paragraphs.join(' ');
    for (const figure of [/500 kg/, /22 kg/, /48[.,]000/, /\b50\b/]) expect(claims).toMatch(figure);
  }
});

test.each([
  ['en', /a lawyer reviews this page/],
  ['es', /un abogado revisa esta página/],
] as const)('privacy and terms say that a lawyer reviews them first, in %s', async (language, note) => {
  for (const pages of [PRIVACY, TERMS]) {
    await renderScreen(<InfoPage pages={pages} />, { texts: [], language });
    screen.getByText(note);
    cleanup();
  }
});

test.each([
  ['en', 'survival', /drought, cattle and frost/],
  ['en', 'survival', /We do not promise that every tree lives/],
  ['en', 'money', /seedlings.*field worker.*verification/],
  ['en', 'receipts', /private link.*PDF/],
  ['en', 'contact', /@/],
  ['es', 'survival', /sequía, el ganado y las heladas/],
  ['es', 'survival', /No prometemos que todos vivan/],
  ['es', 'money', /plántulas.*siembra.*verificación/],
  ['es', 'receipts', /enlace privado.*PDF/],
  ['es', 'contact', /@/],
] as const)('the help answers in %s about %s: %s', async (language, id, answer) => {
  const { container } = await renderScreen(<InfoPage pages={HELP} />, { texts: [], language });
  const section = container.querySelector(`#${id}`)!;
  expect(section.textContent).toMatch(answer);
  const { title } = HELP[language].sections.find((one) => one.id === id)!;
  expect(screen.getByRole('link', { name: title }).getAttribute('href')).toBe(`#${id}`);
});

test.each([
  ['en', /1581/, /1480/, /14 days.*five business days/],
  ['es', /1581/, /1480/, /14 días.*cinco días hábiles/],
] as const)('privacy and terms follow Colombia’s laws in %s', (language, dataLaw, consumerLaw, days) => {
  const textOf = (pages: typeof HELP) =>
    [pages[language].lead, ...pages[language].sections.flatMap(({ paragraphs }) => paragraphs)].join(' ');
  expect(textOf(PRIVACY)).toMatch(dataLaw);
  expect(textOf(TERMS)).toMatch(consumerLaw);
  expect(textOf(TERMS)).toMatch(days);
});
