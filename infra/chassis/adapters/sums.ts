/** Sums by their fields. @param sumAt of the field at that place */
export const sumsBy = <F extends string>(
  fields: readonly F[],
  sumAt: (at: number) => number,
): Record<F, number> =>
  Object.fromEntries(fields.map((field, at) => [field, sumAt(at)])) as Record<F, number>;
