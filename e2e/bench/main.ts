/** "npm run bench -- serve photos --quick", "npm run bench -- cost --why", "npm run bench -- all --report" */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machine, runOf } from '../report/page.ts';
import { tableLines } from '../report/table.ts';
import { BENCHES, chosenBenches, tablesOf, writeFigures } from './bench.ts';
import type { Figures } from './figures.ts';

const REPORT = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const { values: asked, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    why: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

console.log(machine());
for (const name of benchesOrExit()) {
  console.log(`\n── ${name}${asked.quick ? ', quick: only whether it works' : ''} ──`);
  try {
    const bench = await BENCHES[name]!();
    const figures = await bench(asked);
    show(figures);
    if (asked.report) writeFigures(REPORT, figures, runOf('npm run bench --'));
  } catch (error) {
    // The others still run.
    console.error(error);
    process.exitCode = 1;
  }
}

function benchesOrExit(): readonly string[] {
  try {
    return chosenBenches(positionals, Object.keys(BENCHES));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

function show(figures: Figures): void {
  console.log(`\n${figures.work}`);
  for (const table of tablesOf(figures)) console.log(`\n${tableLines(table).join('\n')}`);
}
