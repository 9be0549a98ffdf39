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
  /** As chosen, those that are not taken among them. */
  pictures: readonly Picture[];
  add: (files: readonly File[]) => Promise<void>;
  remove: (id: string) => void;
  /** The server does not take some of them. */
  refuse: (refusals: ReadonlyMap<string, EvidenceRefusal>) => void;
  /** The files of these pictures, removed ones among them; undefined when one was chosen before a reload and is gone. */
  filesOf: (ids: readonly string[]) => readonly File[] | undefined;
  /** Pictures were chosen before a reload that the browser did not keep. */
  isLost: boolean;
}

/** The pictures that prove a transfer, kept over a reload as far as the browser lets us. */
export function useEvidence(): Evidence {
  const [pictures, setPictures] = useState<readonly Picture[]>([]);
  const [isLost, setIsLost] = useState(false);
  /** As of the last change: two may come before the next rendering. */
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

/** Once the transfer is there, its pictures leave this device. */
export function forgetEvidence(): void {
  const { evidence } = currentDraft();
  if (evidence) void forgetPictures(evidence.key);
}

const pictureOf = (file: File, id: string = crypto.randomUUID()): Picture => ({
  id,
  file,
  preview: URL.createObjectURL(file),
});
