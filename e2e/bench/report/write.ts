import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withSection } from '../../report/page.ts';
import { tableMarkdown } from '../../report/table.ts';
import { type Figures, tablesOf } from './bench.ts';
import { plotSvg } from './plot.ts';

/** Date, machine and command of a run. */
export interface Run {
  /** ISO date. */
  date: string;
  machine: string;
  /** The command as typed. */
  command: string;
}

const HEADING = `# Performance, as measured

Written by \`npm run bench\`, each section by a run of that bench: \`npm run bench -- all --report\` writes every section,
\`npm run bench -- serve --report\` writes one. Peers run in the same run on the same machine, in turn with Arboleda, and
medians stand before what was seen, from least to most. Absolute times are those of the machine that is named, which other
work may have shared: the ratios carry the sense.
`;

/** Puts what a bench has measured in the place of its section of a page, and its plot beside the page. */
export async function writeFigures(page: string, figures: Figures, run: Run): Promise<void> {
  const { bench, work, plot } = figures;
  const picture = join('images', 'performance', `${bench}.svg`);
  if (plot) {
    const file = join(dirname(page), picture);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await plotSvg(plot));
  }
  const lines = [
    `## ${bench}`,
    '',
    `${run.date}, \`${run.command}\`, on ${run.machine}.`,
    '',
    work,
    ...(plot ? ['', `![${bench}: ${plot.unit}](${picture})`] : []),
    ...tablesOf(figures).flatMap((table) => ['', tableMarkdown(table)]),
  ];
  const before = existsSync(page) ? readFileSync(page, 'utf8') : undefined;
  writeFileSync(page, withSection(before, HEADING, `npm run bench -- ${bench}`, lines));
}
