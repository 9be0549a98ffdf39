import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Something that a release promises to those who install, call or open it, kept in one file. */
export interface Promised {
  /** In contracts/released. */
  file: string;
  /**
   * The file as of today's code.
   * @param root the repository's folder
   * @param before the file of earlier releases, whose samples stay
   */
  freeze(root: string, version: string, before: string | undefined): string | Promise<string>;
  /** Says what today's code breaks of it, in sentences that name a file. */
  broken(released: string, root: string): string[] | Promise<string[]>;
}

export const RELEASED_FOLDER = 'contracts/released';

export function readReleased(root: string, file: string): string | undefined {
  const path = join(root, RELEASED_FOLDER, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** JSON with a line for each entry, so that one change is one line of a diff. */
export function linesOf(object: Record<string, unknown>): string {
  const lines = Object.entries(object).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`;
}
