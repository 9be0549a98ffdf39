import { afterAll, beforeAll, jest } from '@jest/globals';
import { followTheLine, PURCHASES } from './line.ts';
import { openStage, type Stage } from './stage.ts';

jest.setTimeout(120_000);

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

for (const purchase of PURCHASES) followTheLine(() => stage, purchase);
