import { statfs } from 'node:fs/promises';

/** Below the first, uploads are refused; below the second, all writes. Reads continue. */
const ENOUGH_BYTES = { uploads: 500_000_000, writes: 200_000_000 };
const LOOK_EVERY_MS = 1_000;

/** Free space on the disk of an installation that stores everything locally. */
export interface Room {
  uploads: boolean;
  writes: boolean;
  close(): void;
}

/** @param freeBytes free bytes of the disk; by default of the folder's */
export async function watchRoom(folder: string, freeBytes = () => freeBytesOf(folder)): Promise<Room> {
  const room = { uploads: true, writes: true };
  const look = async () => {
    const free = await freeBytes();
    room.uploads = free >= ENOUGH_BYTES.uploads;
    room.writes = free >= ENOUGH_BYTES.writes;
  };
  await look();
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS).unref();
  return Object.assign(room, { close: () => clearInterval(timer) });
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
