import { z } from 'zod';
import { adminRole, email, freeText, id, language, personName } from '../fields.ts';
import { oneLine } from '../text.ts';

/** Email address or worker's code, as typed at login. */
export const login = oneLine(254).min(1);
/** An existing password: only bounded, because password rules may have changed since it was set. */
export const givenPassword = z.string().min(1).max(200);
/** Token from a link in an email. */
export const mailedToken = z.string().min(1).max(200);
/** Six digits of an authenticator app, or a recovery code; spaces and dashes are ignored. */
export const secondFactorCode = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .meta({ examples: ['492 039'] });

/** The organization's code of a worker: "QU-014". */
export const workerCode = z
  .string()
  .trim()
  .toUpperCase()
  .min(1)
  .max(20)
  .regex(/^[A-Z0-9][A-Z0-9-]*$/);
export const region = oneLine(80).min(1);
/** Upper bound of open trees for one worker. */
export const capacityTrees = z.int().min(0).max(1_000_000);

export const user = z.object({
  id,
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  language,
  /** Admins only. */
  adminRole: adminRole.optional(),
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
/** Any account, as its owner sees it; the last two fields belong to workers. */
export const anyUser = user.extend({ workerId: z.string().optional(), region: z.string().optional() });

export const managedWorker = z.object({
  id,
  /** The organization's code: "QU-014". */
  workerId: z.string(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  region: z.string(),
  capacityTrees: z.int(),
  language,
  active: z.boolean(),
  /** True until the worker sets a password. */
  invitationPending: z.boolean(),
  createdAt: z.iso.datetime(),
  /** Incremented by every change, for If-Match. */
  revision: z.int(),
});
export const workerInput = z.object({ name: personName, email, region, capacityTrees, language });
/** Part of a name, address or code. */
export const searched = freeText(100);
