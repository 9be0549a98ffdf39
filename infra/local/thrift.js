/**
 * How the embedded tier's processes are told to go easy on memory: one machine of a small organisation runs all of them. Plain
 * JavaScript, because the first step of `npm start` reads it: see bootstrap.js. Why, and what each is worth:
 * docs/decisions/14-pictures-and-memory.md
 */
import { join } from 'node:path';

/**
 * Where everything new is made, MB, three times over: V8 lets it grow to 32, which holds nothing but what is over. And how much more
 * than what is in use, %, the rest may hold before it is collected: V8 waits for twice as much and more.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=50'];

/**
 * @param {string} root the folder of the project
 * @returns {Record<string, string>} variables of the environment, which children of the process inherit
 */
export const thriftyEnvironment = (root) => ({
  // glibc: few arenas, and whatever has the size of a photo goes back to the system when it is let go. Others ignore them.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '4194304',
  // What turns TypeScript into JavaScript takes 12 MB in each process that has to do it.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
});
