import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { brokenCalls, type PromisedCalls, promisedCalls } from '@arboleda/contracts/openapi-compatibility.ts';
import { openApiDocument } from '@arboleda/contracts/openapi.ts';
import { linesOf, type Promised, readReleased, RELEASED_FOLDER } from './promised.ts';

/** Changes that were decided on although they break callers: the sentence, and why. A release empties it. */
const ACCEPTED = 'accepted.json';

/** Calls that programs and phones of others make. */
export const calls: Promised = {
  file: 'openapi.json',
  freeze() {
    const { openapi, info, paths } = callsNow();
    return `{"openapi":${JSON.stringify(openapi)},"info":${JSON.stringify(info)},"paths":${linesOf(paths).trimEnd()}}\n`;
  },
  broken(released, root) {
    const changes = brokenCalls(JSON.parse(released) as PromisedCalls, callsNow());
    const accepted = JSON.parse(readReleased(root, ACCEPTED) ?? '{}') as Record<string, string>;
    return [
      ...changes
        .filter((change) => !Object.hasOwn(accepted, change))
        .map(
          (change) =>
            `contracts/endpoints: ${change}. Keep it, add a new call beside it, or say in ${RELEASED_FOLDER}/${ACCEPTED} why nobody depends on it.`,
        ),
      ...Object.keys(accepted)
        .filter((sentence) => !changes.includes(sentence))
        .map((sentence) => `${RELEASED_FOLDER}/${ACCEPTED}: "${sentence}" is no change; remove it.`),
    ];
  },
};

/** Acceptances hold until the release that makes them. */
export const acceptedChanges: Promised = { file: ACCEPTED, freeze: () => '{}\n', broken: () => [] };

/** Derived once, which takes half a second. */
let now: PromisedCalls | undefined;
const callsNow = (): PromisedCalls =>
  (now ??= promisedCalls(openApiDocument(ENDPOINTS, { serverUrl: 'https://arboleda.example' })));
