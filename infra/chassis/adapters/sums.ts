/** A record of sums by field. @param sumAt the sum at the field's index */
export const sumsBy = <F extends string>(
  fields: readonly F[],
  sumAt: (at: number) => number,
): Record<F, number> =>
  Object.fromEntries(fields.map((field, at) => [field, sumAt(at)])) as Record<F, number>;
