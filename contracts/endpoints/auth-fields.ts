import { z } from 'zod';
import { email, freeText, id, language, personName } from '../fields.ts';
import { oneLine } from '../text.ts';

/** An address, or a worker's code, as somebody types it to log in. */
export const login = oneLine(254).min(1);
/** A password that is there already: whatever it was allowed to be when it was set. */
export const givenPassword = z.string().min(1).max(200);
/** As it stands in a mail's link. */
export const mailedToken = z.string().min(1).max(200);
/** Six digits of an authenticator app, or a recovery code; spaces and dashes are for the eye. */
export const secondFactorCode = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .meta({ examples: ['492 039'] });

/** What the organisation calls a worker by: "QU-014". */
export const workerCode = z
  .string()
  .trim()
  .toUpperCase()
  .min(1)
  .max(20)
  .regex(/^[A-Z0-9][A-Z0-9-]*$/);
export const region = oneLine(80).min(1);
/** Trees that may be open with one worker at once. */
export const capacityTrees = z.int().min(0).max(1_000_000);

/** A customer or an admin. */
export const user = z.object({
  id,
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  language,
});
export const worker = z.object({
  id,
  name: z.string(),
  email: z.string(),
  workerId: z.string(),
  region: z.string(),
  language,
});
export const session = z.object({ token: z.string(), user });
/** Anybody, as they see themselves; the last two are of workers. */
export const anyUser = user.extend({ workerId: z.string().optional(), region: z.string().optional() });

/** A worker as admins see them. */
export const managedWorker = z.object({
  id,
  /** Their code. */
  workerId: z.string(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  region: z.string(),
  capacityTrees: z.int(),
  language,
  active: z.boolean(),
  /** They have not set a password yet. */
  invitationPending: z.boolean(),
  createdAt: z.iso.datetime(),
  /** Counts the changes, for If-Match. */
  revision: z.int(),
});
export const workerWish = z.object({ name: personName, email, region, capacityTrees, language });
/** Part of a name, an address or a code. */
export const searched = freeText(100);
