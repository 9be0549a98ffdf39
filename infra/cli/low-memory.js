/**
 * Settings that save memory in the embedded tier, where one small machine runs all processes. Plain JavaScript,
 * because bootstrap.js reads it. Reasons and effects: docs/decisions/14-pictures-and-memory.md
 */
import { join } from 'node:path';

/**
 * V8's new space, in MB (three times that in all; the default maximum is 32), and how far the heap may grow before a
 * collection, in percent.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=50'];

/**
 * @param {string} root the project's folder
 * @returns {Record<string, string>} variables for child processes
 */
export const lowMemoryEnv = (root) => ({
  // glibc: few arenas, and memory of the size of a photo is returned to the system. Other C libraries ignore these.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '4194304',
  // Compiling TypeScript takes 12 MB in each process without a cache.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
});
