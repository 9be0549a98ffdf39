import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { type EndpointKey, isInternal, pathOf } from '@arboleda/contracts/endpoint.ts';
import { type JudgeAnswer, openJudge } from '../fuzz/answer.ts';
import { fuzz, type Fuzzed, leftovers } from '../fuzz/fuzz.ts';
import { openState, type State } from '../fuzz/state.ts';
import { openProvider } from '../../driver/provider.ts';
import { waitFor } from '../../harness/wait.ts';
import { describedOperations, type Operation } from '../operation.ts';
import { openFilledProduct, type FilledProduct } from '../filled-product.ts';

/** "API_FUZZ_EXAMPLES=300 npm run jest -- fuzz.test": more for each operation; API_FUZZ_SEED to see again what failed. */
const EXAMPLES = Number(process.env.API_FUZZ_EXAMPLES ?? 12);
const SEED = Number(process.env.API_FUZZ_SEED ?? Date.now() % 2 ** 31);
const TIMEOUT_MS = 30_000 + EXAMPLES * 1_000;

const KEYS = Object.keys(ENDPOINTS).filter((key) => !isInternal(pathOf(key))) as EndpointKey[];

let filled: FilledProduct;
let state: State;
let judge: JudgeAnswer;
let operations: Map<EndpointKey, Operation>;
const fuzzed = new Map<EndpointKey, Fuzzed>();

beforeAll(async () => {
  filled = await openFilledProduct();
  state = await openState(filled.product.databaseUrl);
  const described = await describedOperations(filled.product.url);
  operations = new Map(described.operations.map((operation) => [operation.key, operation]));
  judge = openJudge(described.schemas);
}, 120_000);

afterAll(async () => {
  await state?.close();
  await filled?.close();
  const rows = [...fuzzed].map(([key, { statuses }]) => `${key}  ${JSON.stringify(statuses)}`);
  console.info(`${EXAMPLES} examples an operation, seed ${SEED}\n${rows.join('\n')}`);
});

test('every call of the contracts is described', () => {
  expect([...operations.keys()].sort()).toEqual([...KEYS].sort());
});

describe('whatever is sent, the answer is one that is described', () => {
  test.each(KEYS)(
    '%s',
    async (key) => {
      const operation = operations.get(key)!;
      fuzzed.set(key, await fuzz(operation, { filled, judge, examples: EXAMPLES, seed: SEED }));
    },
    TIMEOUT_MS,
  );
});

describe('what is refused leaves nothing behind', () => {
  // An accepted call makes the card provider send webhooks, which would arrive during a later comparison.
  beforeAll(async () => {
    const provider = openProvider(filled.product);
    await provider.webhooks('hold');
    await waitFor('the webhooks of accepted calls', async () => (await provider.webhooksPending()) === 0);
    await state.settled();
  });

  test.each(KEYS)(
    '%s',
    async (key) => {
      const { refused = [] } = fuzzed.get(key) ?? {};
      if (refused.length === 0) return;
      expect(await leftovers(operations.get(key)!, refused, { filled, state })).toBeUndefined();
    },
    TIMEOUT_MS,
  );
});
