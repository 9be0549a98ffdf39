import type { Item } from './item.ts';

export interface Store {
  list(workerId: string): Promise<Item[]>;
  add(item: Item, file?: ArrayBuffer): Promise<void>;
  file(id: string): Promise<ArrayBuffer | undefined>;
  /** Replaces an existing item; deleted items stay deleted. */
  change(id: string, change: (item: Item) => Item): Promise<void>;
  dropFile(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** The task the worker is on. */
  currentTask(workerId: string): Promise<string | undefined>;
  keepCurrentTask(workerId: string, id: string): Promise<void>;
}

/** Lasts as long as the page. */
export function memoryStore(): Store & { has(id: string): boolean } {
  const items = new Map<string, Item>();
  const files = new Map<string, ArrayBuffer>();
  const current = new Map<string, string>();
  return {
    has: (id) => items.has(id),
    list: async (workerId) => [...items.values()].filter((item) => item.workerId === workerId),
    async add(item, file) {
      items.set(item.id, item);
      if (file) files.set(item.id, file);
    },
    file: async (id) => files.get(id),
    async change(id, change) {
      const item = items.get(id);
      if (item) items.set(id, change(item));
    },
    async dropFile(id) {
      files.delete(id);
    },
    async remove(id) {
      items.delete(id);
      files.delete(id);
    },
    currentTask: async (workerId) => current.get(workerId),
    async keepCurrentTask(workerId, id) {
      current.set(workerId, id);
    },
  };
}

/**
 * Stores items on the phone while there is room, others in the page, marked as unkept. A state change without room
 * stays in the page: after a reload the item waits and is sent again, which is harmless.
 * @param opening undefined when the browser has no storage
 */
export function storeWithFallback(opening: Promise<Store | undefined>): Store {
  const memory = memoryStore();
  const unwritten = new Map<string, Item>();
  const latest = (item: Item): Item => unwritten.get(item.id) ?? item;
  const storeOf = async (id: string): Promise<Store | undefined> => (memory.has(id) ? memory : opening);
  return {
    async list(workerId) {
      const kept = (await (await opening)?.list(workerId).catch(() => [])) ?? [];
      return [...kept.map(latest), ...(await memory.list(workerId))].sort((a, b) => a.at - b.at);
    },
    async add(item, file) {
      try {
        const kept = await opening;
        if (kept) return await kept.add(item, file);
      } catch {
        // The database is full, or was deleted while the page was open.
      }
      // Only in this page a step is safer sent than undone.
      const heldUntil = item.kind === 'status' ? 0 : item.heldUntil;
      await memory.add({ ...item, heldUntil, unkept: true }, file);
    },
    file: async (id) => (await storeOf(id))?.file(id),
    async change(id, change) {
      let changed: Item | undefined;
      try {
        await (await storeOf(id))?.change(id, (item) => (changed = change(latest(item))));
        unwritten.delete(id);
      } catch {
        if (changed) unwritten.set(id, changed);
      }
    },
    async dropFile(id) {
      // The stored item still waits: without its picture a resend would fail.
      if (!unwritten.has(id)) await (await storeOf(id))?.dropFile(id);
    },
    async remove(id) {
      await (await storeOf(id))?.remove(id);
      unwritten.delete(id);
    },
    currentTask: async (workerId) => (await opening)?.currentTask(workerId).catch(() => undefined),
    keepCurrentTask: async (workerId, id) =>
      (await opening)?.keepCurrentTask(workerId, id).catch(() => undefined),
  };
}
