import { MAX_EVIDENCE_BYTES, MAX_EVIDENCE_FILES } from '@arboleda/contracts/evidence.ts';
import type { PublicProblemType } from '@arboleda/contracts/problems.ts';
import { deleteDB, type IDBPDatabase, openDB } from 'idb';
import { useEffect, useRef, useState } from 'react';
import { changeDraft, currentDraft } from '../../../order/purchase/draft.ts';

/** Reason to refuse a picture: a contract slug, or one that only the form knows. */
export type EvidenceRefusal = PublicProblemType | 'one-too-many' | 'chosen-twice';

export interface Picture {
  id: string;
  file: File;
  /** Object URL of the preview, valid while the page is open. */
  preview: string;
  refusal?: EvidenceRefusal | undefined;
}

export const EVIDENCE_TYPES = ['image/jpeg', 'image/png', 'image/gif'];

/** Magic bytes of accepted types; names and declared types prove nothing. */
const SIGNATURES = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47],
  [0x47, 0x49, 0x46, 0x38],
];

/** Problem of a file by itself, checked before upload. */
export async function refusalOf(file: File): Promise<EvidenceRefusal | undefined> {
  const start = await firstBytes(file);
  const isPicture = SIGNATURES.some((signature) => signature.every((byte, at) => start[at] === byte));
  if (!isPicture) return 'evidence-not-an-image';
  return file.size > MAX_EVIDENCE_BYTES ? 'evidence-too-large' : undefined;
}

/** Problem of adding a file to the chosen ones. */
export function refusalBeside(file: File, chosen: readonly Picture[]): EvidenceRefusal | undefined {
  const isTheSame = ({ file: other }: Picture) =>
    other.name === file.name && other.size === file.size && other.lastModified === file.lastModified;
  if (chosen.some(isTheSame)) return 'chosen-twice';
  return chosen.length >= MAX_EVIDENCE_FILES ? 'one-too-many' : undefined;
}

export const acceptedOf = (pictures: readonly Picture[]): Picture[] =>
  pictures.filter(({ refusal }) => !refusal);

/** Uploaded share of each file for the share of the form: files are sent in sequence. */
export function sharesOf(sizes: readonly number[], share: number): number[] {
  let left = sizes.reduce((sum, size) => sum + size, 0) * share;
  return sizes.map((size) => {
    const gone = Math.min(size, Math.max(0, left));
    left -= size;
    return size === 0 ? 1 : gone / size;
  });
}

async function firstBytes(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, 8).arrayBuffer());
  } catch {
    // The file was moved, or may not be read.
    return new Uint8Array();
  }
}

interface KeptPicture {
  id: string;
  file: File;
}

interface Kept {
  pictures: readonly KeptPicture[];
  keptAt: number;
}

const DATABASE = 'arboleda-checkout';
const STORE = 'evidence';
/** Drafts live as long as their tab; older pictures are orphans. */
const KEPT_MS = 24 * 3_600_000;

let database: Promise<IDBPDatabase> | undefined;

function open(): Promise<IDBPDatabase> {
  database ??= openDB(DATABASE, 1, { upgrade: (db) => void db.createObjectStore(STORE) });
  return database;
}

/** Stores a draft's pictures so that they survive a reload, if the browser allows it. */
async function keepPictures(key: string, pictures: readonly KeptPicture[]): Promise<void> {
  try {
    const db = await open();
    await db.put(STORE, { pictures, keptAt: Date.now() } satisfies Kept, key);
    await sweep(db);
  } catch {
    // Without storage a reload loses them; the form then asks again.
    database = undefined;
  }
}

async function readPictures(key: string): Promise<readonly KeptPicture[]> {
  try {
    const kept = (await (await open()).get(STORE, key)) as Kept | undefined;
    return kept?.pictures ?? [];
  } catch {
    database = undefined;
    return [];
  }
}

/** After submission no bank receipt stays on this device. */
async function forgetPictures(key: string): Promise<void> {
  try {
    const db = await open();
    await db.delete(STORE, key);
    if ((await db.count(STORE)) > 0) return;
    db.close();
    database = undefined;
    await deleteDB(DATABASE);
  } catch {
    database = undefined;
  }
}

async function sweep(db: IDBPDatabase): Promise<void> {
  const oldest = Date.now() - KEPT_MS;
  for (let at = await db.transaction(STORE, 'readwrite').store.openCursor(); at; at = await at.continue()) {
    if ((at.value as Kept).keptAt < oldest) await at.delete();
  }
}

export interface Evidence {
  /** In the order chosen, including refused ones. */
  pictures: readonly Picture[];
  add: (files: readonly File[]) => Promise<void>;
  remove: (id: string) => void;
  refuse: (refusals: ReadonlyMap<string, EvidenceRefusal>) => void;
  /** Files of pictures, including removed ones; undefined when one was lost by a reload. */
  filesOf: (ids: readonly string[]) => readonly File[] | undefined;
  /** Pictures chosen before a reload were not kept by the browser. */
  isLost: boolean;
}

/** Evidence pictures, which survive a reload if the browser allows it. */
export function useEvidence(): Evidence {
  const [pictures, setPictures] = useState<readonly Picture[]>([]);
  const [isLost, setIsLost] = useState(false);
  /** Current list; two changes may precede the next render. */
  const latest = useRef<readonly Picture[]>([]);
  const known = useRef(new Map<string, File>());

  const show = (next: readonly Picture[]) => {
    for (const { id, file } of next) known.current.set(id, file);
    latest.current = next;
    setPictures(next);
  };
  const change = (next: readonly Picture[]) => {
    show(next);
    const accepted = acceptedOf(next);
    const key = currentDraft().evidence?.key ?? crypto.randomUUID();
    changeDraft({ evidence: { key, count: accepted.length } });
    void keepPictures(
      key,
      accepted.map(({ id, file }) => ({ id, file })),
    );
  };

  useEffect(() => {
    const kept = currentDraft().evidence;
    let gone = false;
    if (kept && kept.count > 0) {
      void readPictures(kept.key).then((found) => {
        if (gone) return;
        setIsLost(found.length < kept.count);
        show([...found.map(({ id, file }) => pictureOf(file, id)), ...latest.current]);
      });
    }
    return () => {
      gone = true;
      for (const { preview } of latest.current) URL.revokeObjectURL(preview);
    };
  }, []);

  return {
    pictures,
    isLost,
    add: async (files) => {
      setIsLost(false);
      for (const file of files) {
        const itself = await refusalOf(file);
        const refusal = itself ?? refusalBeside(file, acceptedOf(latest.current));
        change([...latest.current, { ...pictureOf(file), refusal }]);
      }
    },
    remove: (id) => {
      const removed = latest.current.find((one) => one.id === id);
      if (removed) URL.revokeObjectURL(removed.preview);
      change(latest.current.filter((one) => one.id !== id));
    },
    refuse: (refusals) =>
      change(latest.current.map((one) => ({ ...one, refusal: refusals.get(one.id) ?? one.refusal }))),
    filesOf: (ids) => {
      const files = ids.map((id) => known.current.get(id));
      return files.every((file) => file !== undefined) ? files : undefined;
    },
  };
}

/** Deletes the pictures of a submitted transfer from this device. */
export function forgetEvidence(): void {
  const { evidence } = currentDraft();
  if (evidence) void forgetPictures(evidence.key);
}

const pictureOf = (file: File, id: string = crypto.randomUUID()): Picture => ({
  id,
  file,
  preview: URL.createObjectURL(file),
});
