import { Warn, View, parse } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Plot } from './bench.ts';

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
