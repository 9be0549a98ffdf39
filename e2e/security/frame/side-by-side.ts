/** Runs over all, so many at a time. */
export async function sideBySide<T>(
  all: readonly T[],
  atOnce: number,
  run: (one: T) => Promise<void>,
): Promise<void> {
  const left = all.values();
  const lane = async () => {
    for (const one of left) await run(one);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
