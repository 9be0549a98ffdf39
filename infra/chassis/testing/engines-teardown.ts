export default async function tearDown(): Promise<void> {
  await Promise.all((globalThis.testContainers ?? []).map((container) => container.stop()));
}
