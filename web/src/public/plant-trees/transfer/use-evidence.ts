import { useEffect, useRef, useState } from 'react';
import { changeDraft, currentDraft } from '../draft.ts';
import {
  acceptedOf,
  refusalBeside,
  refusalOf,
  type EvidenceRefusal,
  type Picture,
} from './evidence-files.ts';
import { forgetPictures, keepPictures, readPictures } from './evidence-store.ts';

export interface Evidence {
  /** In the order chosen, including refused ones. */
  pictures: readonly Picture[];
  add: (files: readonly File[]) => Promise<void>;
  remove: (id: string) => void;
  /** Marks pictures the server refused. */
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
