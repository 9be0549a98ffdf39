import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { HELP } from '../../content/pages/help.ts';
import { PRIVACY } from '../../content/pages/privacy.ts';
import { TERMS } from '../../content/pages/terms.ts';
import { LANGUAGES } from '../../i18n/languages.ts';
import { renderScreen } from '../../testing/render.tsx';
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
