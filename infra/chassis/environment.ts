import { isTimeZone } from '@arboleda/contracts/time-zone.ts';
import { z } from 'zod';

/** The environment, or what a test puts in its place. */
export type Environment = Record<string, string | undefined>;

/** Stops the start with one sentence for each wrong variable. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/** Reads variables by a schema whose keys are their names. Empty strings count as not set. @throws ConfigError */
export function readEnvironment<Shape extends z.ZodRawShape>(
  env: Environment,
  shape: Shape,
): z.infer<z.ZodObject<Shape>> {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = z.object(shape).safeParse(set);
  if (result.success) return result.data;
  throw new ConfigError(
    result.error.issues.map(({ path, message }) => {
      const name = path.filter((part) => typeof part === 'string').join('.');
      return `${name}: ${name in set ? message : 'must be set'}`;
    }),
  );
}

/** Where another process answers by HTTP. */
export const url = z.url({ protocol: /^https?$/, message: 'must be an http or https address' });
export const port = z.coerce.number().int().min(0).max(65535);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
/** Calls that one process has in hand at a time: at a few milliseconds each, they are answered within a second. */
export const MAX_CALLS_IN_FLIGHT = 256;
/** Read where it is needed by `organisationTimeZone`; here only a wrong one is refused. */
export const timeZone = z.string().refine(isTimeZone, 'must be a time zone like America/Bogota').optional();
export const callsInFlight = z.coerce.number().int().min(2).default(MAX_CALLS_IN_FLIGHT);
/** At least 32 characters, so that it cannot be guessed. */
export const secret = z.string().min(32, 'must have at least 32 characters');
