interface Photo {
  growthUpdate?: number | undefined;
}

/** Photos of the planting, and of growth updates by number, latest first. */
export function albumsOf<Taken extends Photo>(photos: readonly Taken[]) {
  const planting = photos.filter(({ growthUpdate }) => growthUpdate === undefined);
  const numbers = [...new Set(photos.flatMap(({ growthUpdate }) => growthUpdate ?? []))].sort(
    (a, b) => b - a,
  );
  return {
    planting,
    updates: numbers.map((number) => ({
      number,
      photos: photos.filter(({ growthUpdate }) => growthUpdate === number),
    })),
  };
}
