import { join } from 'node:path';
import { build } from 'vite';

/**
 * Builds the script a prerendered page runs immediately: a single file that shares no chunk with the app, to save round
 * trips.
 * @returns its path in the served folder
 */
export async function buildFirstScript(source: string, client: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    root: join(import.meta.dirname, '..'),
    build: {
      outDir: client,
      emptyOutDir: false,
      copyPublicDir: false,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: source,
        output: { entryFileNames: 'assets/first-[hash].js', codeSplitting: false },
      },
    },
  });
  const files = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    'output' in one ? one.output : [],
  );
  if (files.length !== 1) throw new Error(`${source} became ${files.length} files, and was to be one.`);
  return files[0]!.fileName;
}
