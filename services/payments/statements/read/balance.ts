import type { Movement } from './movement.ts';

/** The first row whose sum has the other sign than the balance beside it; -1 when there is none. */
export function againstBalance(movements: readonly Movement[]): number {
  const steps = movements.flatMap(({ balanceMinor }, at) => {
    const before = movements[at - 1]?.balanceMinor;
    return balanceMinor === undefined || before === undefined ? [] : [{ at, by: balanceMinor - before }];
  });
  // Oldest first, a step is the sum of its own row; newest first, what the row above it took back.
  const views = [
    steps.map(({ at, by }) => ({ at, by })),
    steps.map(({ at, by }) => ({ at: at - 1, by: -by })),
  ];
  const fits = (view: (typeof views)[number]) =>
    view.filter(({ at, by }) => by === movements[at]!.amountMinor).length;
  const opposes = (view: (typeof views)[number]) =>
    view.filter(({ at, by }) => by !== 0 && by === -movements[at]!.amountMinor);
  const [ascending, descending] = views as [(typeof views)[number], (typeof views)[number]];
  const explained = (view: (typeof views)[number]) => fits(view) + opposes(view).length;
  const view = explained(ascending) >= explained(descending) ? ascending : descending;
  // The other order may explain all of them as they are.
  if (views.some((one) => one.length > 0 && fits(one) === one.length)) return -1;
  return opposes(view)[0]?.at ?? -1;
}
