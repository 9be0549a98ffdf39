import { machine, runOf } from '../report/page.ts';
import { writeReliability } from '../report/reliability.ts';
import { tableLines } from '../report/table.ts';
import type { PartResult } from './part.ts';
import { type Asked, PARTS, readArguments } from './parts.ts';

const asked = understood(process.argv.slice(2));
console.log(machine());
let violations = 0;
for (const name of asked.parts) {
  const startedAt = Date.now();
  console.log(`\n── ${name}${asked.long ? ', long form' : ''} ──`);
  const result = await attempt(name);
  violations += result.violations.length;
  show(result, startedAt);
  if (asked.report) writeReliability(result, runOf('npm run reliability --', startedAt));
}
if (violations > 0) process.exitCode = 1;

function understood(args: readonly string[]): Asked {
  try {
    return readArguments(args, Object.keys(PARTS));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

/** A part that throws counts as a violation, and the others still run. */
async function attempt(name: string): Promise<PartResult> {
  try {
    const part = await PARTS[name]!();
    return await part.run({
      short: !asked.long,
      settings: asked.settings,
      print: (line) => console.log(line),
    });
  } catch (error) {
    console.error(error);
    const violation = `it broke off: ${(error as Error).message}`;
    return { part: name, work: 'Not finished.', tables: [], violations: [violation] };
  }
}

function show({ work, tables, violations: found }: PartResult, startedAt: number): void {
  console.log(`\n${work}`);
  for (const table of tables) console.log(`\n${tableLines(table).join('\n')}`);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
  console.log(`\n${found.length === 0 ? 'No violation' : `${found.length} violations`} (${seconds} s)`);
  for (const one of found) console.log(`  ✗ ${one}`);
}
