export function PlantTreesPage() {
  return null;
}
