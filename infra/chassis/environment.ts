import { isTimeZone } from '@arboleda/contracts/time-zone.ts';
import { z } from 'zod';

export type Environment = Record<string, string | undefined>;

/** Stops the start. Its message has one line for each wrong variable. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/** Reads variables by a schema whose keys are their names. Empty strings count as unset. @throws ConfigError */
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

export const url = z.url({ protocol: /^https?$/, message: 'must be an http or https address' });
export const port = z.coerce.number().int().min(0).max(65535);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
/** At a few milliseconds each, this many requests are answered within a second. */
export const MAX_CALLS_IN_FLIGHT = 256;
/** Only validated here; `organisationTimeZone` reads the value. */
export const timeZone = z.string().refine(isTimeZone, 'must be a time zone like America/Bogota').optional();
export const callsInFlight = z.coerce.number().int().min(2).default(MAX_CALLS_IN_FLIGHT);
/** Multiplies rate limits; 0 turns them off. */
export const rateScale = z.coerce.number().min(0).default(1);
export const secret = z.string().min(32, 'must have at least 32 characters');
