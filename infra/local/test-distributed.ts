/** "npm run test:distributed": everything that needs a container engine, and one line that sums it up. */
import { runSteps } from './checks/run.ts';
import { distributedStages, NO_CONTAINERS } from './checks/steps.ts';
import { containersRun } from './checks/containers.ts';

await runSteps(containersRun() ? distributedStages : NO_CONTAINERS);
