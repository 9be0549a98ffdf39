import { ApiProblem, isProblem } from '../api/problem.ts';
import type { PortalCall } from '../session/session.ts';

/** Asks the person for their second factor; resolves once it was given and the token is replaced, rejects when they decline. */
type AskStepUp = () => Promise<void>;

let asker: AskStepUp | undefined;
/** A call waits this long for the dialog, which loads after the dashboard. */
const DIALOG_DEADLINE_MS = 20_000;
let waiting: ((ask: AskStepUp) => void)[] = [];
let asking: Promise<void> | undefined;

/** Like a call without an answer. */
const missing = (isLate: boolean) =>
  new ApiProblem({ type: 'network', status: 0, title: 'The dialog did not load', isLate });

/** @returns ends it */
export function answerStepUps(ask: AskStepUp): () => void {
  asker = ask;
  for (const resolve of waiting) resolve(ask);
  waiting = [];
  return () => {
    if (asker === ask) asker = undefined;
  };
}

/** The dialog's file could not be loaded: calls that need it fail as without network. @returns ends it */
export const refuseStepUps = (): (() => void) => answerStepUps(() => Promise.reject(missing(false)));

const askerOnceThere = async (): Promise<AskStepUp> =>
  asker ??
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(missing(true)), DIALOG_DEADLINE_MS);
    waiting.push((ask) => {
      clearTimeout(late);
      resolve(ask);
    });
  });

/**
 * Calls that are refused at the same time wait for one answer.
 * @returns false when the person declined @throws ApiProblem "network" when the dialog is missing
 */
async function askStepUp(): Promise<boolean> {
  asking ??= askerOnceThere()
    .then((ask) => ask())
    .finally(() => (asking = undefined));
  return asking.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiProblem) throw error;
      return false;
    },
  );
}

/** A call that is refused for want of the second factor is sent again once it was given. */
export const withStepUp =
  (call: PortalCall): PortalCall =>
  (key, options) =>
    call(key, options).catch(async (error: unknown) => {
      if (isProblem(error, 'step-up-required') && (await askStepUp())) return call(key, options);
      throw error;
    });
