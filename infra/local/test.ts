/** "npm test": everything that can be checked on this machine, and one line that sums it up. */
import { containersRun } from './checks/containers.ts';
import { runSteps } from './checks/run.ts';
import { distributedStages, NO_CONTAINERS, stages } from './checks/steps.ts';

await runSteps((reportDir) => [
  ...stages(reportDir),
  ...(containersRun() ? distributedStages : NO_CONTAINERS)(reportDir),
]);
