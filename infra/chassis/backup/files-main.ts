/** Copies or restores a folder, in an image that has no package. Arguments: `copy|restore <folder>`. See told.ts. */
import { copyFiles, restoreFiles } from './files.ts';
import { readFrames, withEnding } from './format.ts';
import { input, obey, out, runTold } from './told.ts';

const [action = '', folder = ''] = process.argv.slice(2);
await runTold(async () => {
  await obey({ begin: async () => undefined }, action);
  if (action === 'copy') await out(withEnding(copyFiles(folder)));
  else await restoreFiles(folder, readFrames(input.rest()));
});
