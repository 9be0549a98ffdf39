/** Gives turns round-robin: the next one of a list that is not left out; undefined when there is none. */
export function rotation<Item>(): (items: readonly Item[], except: readonly unknown[]) => Item | undefined {
  let turn = 0;
  return (items, except) => {
    for (let step = 0; step < items.length; step += 1) {
      turn = (turn + 1) % items.length;
      const item = items[turn]!;
      if (!except.includes(item)) return item;
    }
    return undefined;
  };
}
