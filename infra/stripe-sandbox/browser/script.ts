import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** In the order of what needs what. Names are unique across them, so they can share one scope. */
const MODULES = [
  '../texts.js',
  'errors.js',
  'emitter.js',
  '../api.js',
  'frame.js',
  'payment-element.js',
  'elements.js',
  'challenge.js',
  'confirming.js',
  'stripe.js',
];

/**
 * One classic script out of the modules in a folder: window.Stripe must be there when the script has run, and
 * document.currentScript only exists in a classic script.
 */
export async function sandboxScript(folder: string): Promise<string> {
  const sources = await Promise.all(MODULES.map((name) => readFile(join(folder, name), 'utf8')));
  return `(() => {\n'use strict';\n${sources.map(withoutModuleSyntax).join('\n')}\n})();\n`;
}

const withoutModuleSyntax = (source: string): string =>
  source.replace(/^import [^;]*;$/gm, '').replace(/^export (?=(async )?(function|const))/gm, '');
