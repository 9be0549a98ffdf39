import type pg from 'pg';
import {
  type Caution,
  KILLED_ITS_PROCESS,
  MAX_DEATHS_ALONE,
  SUSPECT_AFTER_DEATHS,
} from '../../../caution.ts';

export interface TakenEvent {
  key: string;
  /** How often it was taken, this time included; a death is the only reason for more than once. */
  taken: number;
  handle(): Promise<void>;
  bury(error: Error): Promise<void>;
}

/** Handles an event beside others, or alone when it was in hand as processes died. */
export function openSuspects(pool: pg.Pool, caution: Caution): (event: TakenEvent) => Promise<void> {
  const begin = async (key: string): Promise<number> => {
    const { rows } = await pool.query<{ before: number }>(
      `insert into chassis.suspects as s (key, begun) values ($1, 1)
       on conflict (key) do update set begun = s.begun + 1 returning begun - 1 as before`,
      [key],
    );
    return rows[0]!.before;
  };
  const clear = (key: string) => pool.query('delete from chassis.suspects where key = $1', [key]);

  return ({ key, taken, handle, bury }) => {
    if (taken <= SUSPECT_AFTER_DEATHS) return caution.together(handle);
    return caution.alone(async (isAlone) => {
      if (isAlone && (await begin(key)) >= MAX_DEATHS_ALONE) await bury(new Error(KILLED_ITS_PROCESS));
      else await handle();
      await clear(key);
    });
  };
}
