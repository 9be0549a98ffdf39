/** Work side by side, but one after another within a lane. */
export interface Lanes {
  add(lane: string, work: () => Promise<void>): void;
  /** Drops what has not begun. Resolves when what has is over. */
  stop(): Promise<void>;
}

/** @param most how many lanes move at once; the others take turns. Work must not reject. */
export function openLanes(most: number): Lanes {
  const lanes = new Map<string, (() => Promise<void>)[]>();
  const ready: string[] = [];
  const idle = Promise.withResolvers<void>();
  let running = 0;
  let stopped = false;

  const move = () => {
    while (running < most && ready.length > 0) void run(ready.shift()!);
    if (stopped && running === 0) idle.resolve();
  };
  const run = async (lane: string) => {
    running++;
    const queue = lanes.get(lane)!;
    await queue.shift()!();
    running--;
    if (queue.length > 0) ready.push(lane);
    else lanes.delete(lane);
    move();
  };

  return {
    add(lane, work) {
      if (stopped) return;
      const queue = lanes.get(lane);
      if (queue) queue.push(work);
      else {
        lanes.set(lane, [work]);
        ready.push(lane);
      }
      move();
    },
    stop() {
      stopped = true;
      ready.length = 0;
      for (const queue of lanes.values()) queue.length = 0;
      move();
      return idle.promise;
    },
  };
}
