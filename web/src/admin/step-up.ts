import { isProblem } from '../api/problem.ts';
import type { PortalCall } from '../session/session.ts';

/** Asks the person for their second factor; resolves once it was given and the token is replaced, rejects when they decline. */
type AskStepUp = () => Promise<void>;

let asker: AskStepUp | undefined;
/** Wait for the dialog, which loads after the dashboard. */
let waiting: ((ask: AskStepUp) => void)[] = [];
let asking: Promise<void> | undefined;

/** @returns ends it */
export function answerStepUps(ask: AskStepUp): () => void {
  asker = ask;
  for (const resolve of waiting) resolve(ask);
  waiting = [];
  return () => {
    if (asker === ask) asker = undefined;
  };
}

const askerOnceThere = async (): Promise<AskStepUp> =>
  asker ?? new Promise((resolve) => waiting.push(resolve));

/** Calls that are refused at the same time wait for one answer. @returns false when the person declined */
async function askStepUp(): Promise<boolean> {
  asking ??= askerOnceThere()
    .then((ask) => ask())
    .finally(() => (asking = undefined));
  return asking.then(
    () => true,
    () => false,
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
