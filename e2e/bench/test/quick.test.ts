import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BENCHES } from '../benches.ts';
import type { Figures } from '../report/bench.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
/** The first run installs peers; a bench by itself takes seconds. */
const PATIENCE_MS = 300_000;

/** A bench as a person runs it. No figure is judged: the machine may be busy with anything. */
test.each(Object.keys(BENCHES))(
  '%s measures something',
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'arboleda-bench-'));
    try {
      const file = join(folder, 'figures.json');
      await promisify(execFile)(process.execPath, [MAIN, name, '--quick', `--json=${file}`]);
      const [figures] = JSON.parse(await readFile(file, 'utf8')) as Figures[];
      expect(figures!.bench).toBe(name);
      expect(figures!.tables.flatMap(({ rows }) => rows).length).toBeGreaterThan(0);
      // JSON has null in the place of what is not a number.
      expect(figures!.plot?.series.flatMap(({ points }) => points.map(({ y }) => y)) ?? []).not.toContain(
        null,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  PATIENCE_MS,
);
