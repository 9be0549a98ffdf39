import { clearPostgres } from '@arboleda/postgres/postgres.ts';
import { join } from 'node:path';
import { clearDataDir, dataDirPath } from './embedded/data-dir.ts';
import { runCommand } from './terminal/command.ts';

await runCommand(async () => {
  const path = dataDirPath(process.env);
  const wasThere = await clearDataDir(path, () => clearPostgres(join(path, 'postgres')));
  console.log(wasThere ? `${path} is gone. npm start begins anew.` : `There is nothing at ${path}.`);
  return 0;
});
