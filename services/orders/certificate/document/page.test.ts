import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { type FontLibrary, openFonts } from '../../documents/fonts.ts';
import type { CertificateFacts } from '../versions.ts';
import { renderCertificate } from './page.ts';

const CODE = 'K7QF-M2XD-9WBN';

let library: FontLibrary;
beforeAll(async () => {
  library = await openFonts();
});

const render = (
  changes: {
    name?: string | null;
    language?: 'en' | 'es';
    photo?: Buffer;
    facts?: Partial<CertificateFacts>;
  } = {},
) => {
  const version = {
    code: CODE,
    issuedAt: '2026-11-21T15:00:00.000Z',
    facts: {
      trees: 20,
      plantedOn: '2026-11-21',
      plantedBy: 'Ana',
      place: 'Salento',
      growthUpdates: 0,
      ...changes.facts,
    },
  };
  const { name = 'Alba Díaz', language = 'es', photo } = changes;
  return renderCertificate(
    {
      certificate: { name, language, versions: [version] },
      version,
      number: 1,
      language,
      siteUrl: 'https://arboleda.test',
      issuer: 'Arboleda S.A.S. BIC',
      photo,
    },
    library,
  );
};

/** The decompressed streams of a PDF. */
const streamsOf = (pdf: Buffer): string[] =>
  [...pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, bytes]) => {
    try {
      return [inflateSync(Buffer.from(bytes!, 'latin1')).toString('latin1')];
    } catch {
      return [];
    }
  });

describe('a certificate as PDF', () => {
  test('is one landscape A4 page in its language, with title and code', async () => {
    const text = (await render()).toString('latin1');
    expect(text.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
    expect(text).toContain('/MediaBox [0 0 841.89 595.28]');
    expect(text).toContain('/Lang (es)');
    expect(text).toContain(`(arboleda-certificate:${CODE})`);
    expect(text).toContain('/DisplayDocTitle true');
  });

  test('is tagged, and its content is read in the order of its tags', async () => {
    const pdf = await render({ name: null, facts: { completedOn: '2026-11-25' } });
    const text = pdf.toString('latin1');
    expect(text).toContain('/Marked true');
    expect(text.match(/\/S \/H1/g)).toHaveLength(1);
    expect(text.match(/\/S \/Figure/g)).toHaveLength(1);
    const page = streamsOf(pdf).find((stream) => stream.includes('BDC'))!;
    const marks = [...page.matchAll(/\/(\w+) <<[^>]*?(?:\/MCID (\d+))?[^>]*>> BDC/g)];
    const read = [...page.matchAll(/\/(?:H1|P|Figure) <<\s*\/MCID (\d+)/g)].map(([, id]) => Number(id));
    expect(marks.length).toBeGreaterThan(read.length);
    expect(read).toEqual(read.map((_id, at) => at));
    // Nothing is drawn that is neither content nor artwork.
    const outside = page.replace(/BDC[\s\S]*?EMC/g, '');
    expect(outside).not.toMatch(/\bTj\b|\bTJ\b|\bre\b|\bDo\b/);
  });

  test('is the same each time', async () => {
    expect((await render()).equals(await render())).toBe(true);
  });

  test.each([
    ['a long name', { name: 'Wolfeschlegelsteinhausenbergerdorff '.repeat(3).trim() }],
    ['a name in other scripts', { name: '张伟林 محمد' }],
    ['a long place', { facts: { place: 'Vereda El Roble '.repeat(31).trim() } }],
    [
      'one tree',
      { language: 'en' as const, facts: { trees: 1, growthUpdates: 3, lastGrowthUpdateOn: '2027-11-21' } },
    ],
  ])('holds %s on one page', async (_what, changes) => {
    const text = (await render(changes)).toString('latin1');
    expect(text.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  });

  test('shows the photo with a text alternative', async () => {
    const photo = await readFile(new URL('../../../../infra/cli/demo/photos/ph-leaf.jpg', import.meta.url));
    const text = (await render({ photo })).toString('latin1');
    expect(text).toContain('/Subtype /Image');
    expect(text.match(/\/S \/Figure/g)).toHaveLength(2);
    expect(text).toContain('/Alt (Foto de la siembra)');
  });
});
