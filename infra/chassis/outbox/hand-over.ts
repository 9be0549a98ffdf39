/**
 * For a bus, and for jobs, that store whatever they are handed over.
 * @returns what resolves when all is stored, with a promise for each that has resolved by then
 */
export const handOverStored =
  <T>(store: (all: readonly T[]) => Promise<void>) =>
  async (all: readonly T[]): Promise<readonly Promise<void>[]> => {
    await store(all);
    return all.map(() => Promise.resolve());
  };
