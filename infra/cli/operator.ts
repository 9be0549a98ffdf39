/** "npm run admin" and "npm run reconcile": run a service's own command in the running installation. */
import { requireRunning, runScript } from './running.ts';
import { runCommand } from './terminal/command.ts';

await runCommand(() => {
  const [service = '', ...args] = process.argv.slice(2);
  const script = [`services/${service}/operator/main.ts`, ...args];
  return runScript(requireRunning(process.env), service, script, { stdio: 'inherit' }).status ?? 1;
});
