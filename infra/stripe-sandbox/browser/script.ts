import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** In order of dependencies. Names are unique across modules, so they can share one scope. */
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
 * Bundles the modules of a folder into one classic script: window.Stripe must exist after it has run, and only
 * classic scripts have document.currentScript.
 */
export async function sandboxScript(folder: string): Promise<string> {
  const sources = await Promise.all(MODULES.map((name) => readFile(join(folder, name), 'utf8')));
  return `(() => {\n'use strict';\n${sources.map(withoutModuleSyntax).join('\n')}\n})();\n`;
}

const withoutModuleSyntax = (source: string): string =>
  source.replace(/^import [^;]*;$/gm, '').replace(/^export (?=(async )?(function|const))/gm, '');
