/** Output while things start. */
export interface Progress {
  /** Runs a step and prints its duration. */
  step<T>(name: string, run: () => Promise<T>): Promise<T>;
  say(line: string): void;
}

export const terminalProgress: Progress = {
  async step(name, run) {
    const startedAt = performance.now();
    const result = await run();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`  ${name.padEnd(44)} ${seconds.padStart(5)} s\n`);
    return result;
  },
  say: (line) => void process.stdout.write(`${line}\n`),
};

/** For tests and other programs. */
export const silentProgress: Progress = { step: (_name, run) => run(), say: () => undefined };

/** Two columns with a line above and below. */
export function table(title: string, rows: readonly (readonly [string, string])[]): string {
  const left = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, value]) => (label || value ? `  ${label.padEnd(left)}   ${value}` : ''));
  const rule = '─'.repeat(Math.min(78, Math.max(title.length + 2, ...lines.map((line) => line.length + 2))));
  return ['', rule, `  ${title}`, rule, ...lines, rule, ''].join('\n');
}
