import type { RunOptions } from '../frame/part.ts';

/** How long and how hard. */
export interface Plan {
  ratePerSecond: number;
  people: { customers: number; workers: number };
  warmUpSeconds: number;
  steadySeconds: number;
  lookEveryMs: number;
  /** Duration of each step towards the knee. */
  stepSeconds: number;
  /** The knee, where it is not looked for. */
  knee: number | undefined;
  stormSeconds: number;
  afterSeconds: number;
  /** Whether times and growth count: not on a machine that others use. */
  isTimed: boolean;
}

const LONG = { minutes: 15, rate: 50, step: 10, storm: 60 };
const SHORT = { minutes: 0.12, rate: 10, storm: 4 };
/** For short runs. Some machines cannot reach it. */
const SHORT_KNEE = 100;

/** `--minutes=15 --rate=50 --step=10 --knee=200 --storm=60` (seconds of a step and of the storm). */
export function planOf({ short, settings }: Pick<RunOptions, 'short' | 'settings'>): Plan {
  const form = short ? SHORT : LONG;
  const number = (name: string, otherwise: number) => {
    const value = Number(settings[name] ?? otherwise);
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
    return value;
  };
  const steadySeconds = number('minutes', form.minutes) * 60;
  return {
    ratePerSecond: number('rate', form.rate),
    people: short ? { customers: 10, workers: 6 } : { customers: 60, workers: 40 },
    warmUpSeconds: short ? 4 : 30,
    steadySeconds,
    lookEveryMs: Math.min(10_000, (steadySeconds * 1000) / 5),
    stepSeconds: number('step', LONG.step),
    knee: short || settings.knee ? number('knee', SHORT_KNEE) : undefined,
    stormSeconds: number('storm', form.storm),
    afterSeconds: short ? 4 : 20,
    isTimed: !short,
  };
}
