import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machine, runOf } from '../report/page.ts';
import { tableLines } from '../report/table.ts';
import { type Asked, BENCHES, type Figures, readArguments, tablesOf } from './bench.ts';
import { writeFigures } from './report.ts';

const REPORT = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));

const asked = understood(process.argv.slice(2));
console.log(machine());
const measured: Figures[] = [];
for (const name of asked.benches) {
  const figures = await attempt(name);
  if (!figures) continue;
  measured.push(figures);
  show(figures);
  if (asked.report) await writeFigures(REPORT, figures, runOf('npm run bench --'));
}
if (asked.json) writeFileSync(asked.json, JSON.stringify(measured));

function understood(args: readonly string[]): Asked {
  try {
    return readArguments(args, Object.keys(BENCHES));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

/** A bench that breaks off is told in the end of the command, and the others still run. */
async function attempt(name: string): Promise<Figures | undefined> {
  console.log(`\n── ${name}${asked.quick ? ', quick: only whether it works' : ''} ──`);
  try {
    const bench = await BENCHES[name]!();
    return await bench({ quick: asked.quick });
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
    return undefined;
  }
}

function show(figures: Figures): void {
  console.log(`\n${figures.work}`);
  for (const table of tablesOf(figures)) console.log(`\n${tableLines(table).join('\n')}`);
}
