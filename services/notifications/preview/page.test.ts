import { describe, expect, test } from '@jest/globals';
import { MAIL_KINDS } from '../mails/kinds.ts';
import { previewPage } from './page.ts';

const SITE = 'https://arboleda.test';

describe('the preview', () => {
  test('leads to every mail in every language, in HTML and in text', () => {
    const list = previewPage('/', SITE)!.body;
    const paths = [...list.matchAll(/href="([^"]+)"/g)].map((match) => match[1]!);
    expect(paths).toHaveLength(MAIL_KINDS.length * 2 * 2);
    for (const path of paths) {
      const page = previewPage(path, SITE)!;
      expect(page.contentType).toBe(`text/${path.endsWith('.txt') ? 'plain' : 'html'}; charset=utf-8`);
      expect(page.body).toContain('Arboleda');
    }
  });

  test.each(['/nothing.en.html', '/receipt.fr.html', '/receipt.en.pdf', '/../main.ts'])(
    'has nothing at %s',
    (path) => expect(previewPage(path, SITE)).toBeUndefined(),
  );
});
