import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, View, Warn } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { type Run, withSection } from '../report/page.ts';
import { type Figures, type Plot, tablesOf } from './bench.ts';

const HEADING = `# Performance, as measured

Generated: \`npm run bench -- all --report\` writes every section, \`npm run bench -- serve --report\` one. Competitors run in turn with
Arboleda, in the same run on the same machine; figures are medians with what was seen from least to most. Absolute times
depend on the machine, so compare the ratios. Longer tables are only printed.
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
  const before = existsSync(page) ? readFileSync(page, 'utf8') : undefined;
  const section = {
    name: bench,
    command: `npm run bench -- ${bench}`,
    run,
    lines: [work, ...(plot ? ['', `![${bench}: ${plot.unit}](${picture})`] : [])],
    tables: tablesOf(figures),
  };
  writeFileSync(page, withSection(before, HEADING, section));
}

const WIDTH = 620;
const HEIGHT = 260;
/** Where bars of one x stand beside each other, so does the range of what was seen. */
const BESIDE = { xOffset: { field: 'series' } } as const;
const TENFOLD = 10;

/** The plot as an SVG picture of its own, drawn without a browser. */
export async function plotSvg(plot: Plot): Promise<string> {
  const view = new View(parse(compile(spec(plot)).spec), { renderer: 'none', logLevel: Warn });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}

function spec({ kind, unit, x, series }: Plot): TopLevelSpec {
  const values = series.flatMap(({ name, points }) => points.map((point) => ({ series: name, ...point })));
  const xs = values.map((value) => value.x);
  const isGrowing = kind === 'lines' && xs.every((value) => typeof value === 'number');
  const grows = isGrowing && Math.min(...xs) > 0 && Math.max(...xs) >= TENFOLD * Math.min(...xs);
  const beside = kind === 'bars' ? BESIDE : {};
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    width: WIDTH,
    height: HEIGHT,
    padding: 12,
    background: 'white',
    config: { font: 'sans-serif', view: { stroke: null }, axis: { labelFontSize: 12, titleFontSize: 12 } },
    data: { values },
    encoding: {
      x: isGrowing
        ? {
            field: 'x',
            type: 'quantitative',
            title: x ?? null,
            scale: { type: grows ? 'log' : 'linear' },
            axis: { values: [...new Set(xs)] as number[] },
          }
        : { field: 'x', type: 'ordinal', title: x ?? null, sort: null, axis: { labelAngle: 0 } },
      color: {
        field: 'series',
        type: 'nominal',
        title: null,
        sort: null,
        scale: { scheme: 'tableau10' },
        legend: { orient: 'top', labelFontSize: 12, labelLimit: 0, columns: 4 },
      },
    },
    layer: [
      {
        mark: kind === 'bars' ? { type: 'bar' } : { type: 'line', point: true },
        encoding: { y: { field: 'y', type: 'quantitative', title: unit }, ...beside },
      },
      {
        transform: [{ filter: 'isValid(datum.low) && isValid(datum.high)' }],
        mark: { type: 'rule', strokeWidth: 1.5, ...(kind === 'bars' ? { color: 'black' } : {}) },
        encoding: {
          y: { field: 'low', type: 'quantitative' },
          y2: { field: 'high' },
          ...beside,
          ...(kind === 'bars' ? { color: { value: 'black' } } : {}),
        },
      },
    ],
  };
}
