import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..', '..');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Rules {
  groups: { rules: { alert?: string; annotations?: { runbook_url?: string } }[] }[];
}

/** As GitHub makes them of headings. */
const anchors = [...textOf('docs/operations.md').matchAll(/^#+ (.+)$/gm)].map((match) =>
  match[1]!
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-'),
);

test('every alert leads to a section that says what to do', () => {
  const { groups } = parse(textOf('infra/observability/prometheus/alerts.yml')) as Rules;
  const alerts = groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert);
  const urls = alerts.map(({ annotations }) => annotations?.runbook_url);
  expect(urls.length).toBeGreaterThan(0);
  expect(urls.filter((url) => !anchors.some((anchor) => url === `docs/operations.md#${anchor}`))).toEqual([]);
});

test('links within the document lead somewhere', () => {
  const links = [...textOf('docs/operations.md').matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1]!);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
});
