import { createContext, useContext } from 'react';
import type { Answer } from '../api/client.ts';
import type { Item } from './outbox/item.ts';
import type { Outbox } from './outbox/outbox.ts';

/** Context of all cards in the worker portal: the worker and the outbox. */
export interface Field {
  workerId: string;
  outbox: Outbox;
  items: readonly Item[];
  sending: { id: string; share: number } | undefined;
  isOnline: boolean;
  /** Sent photos that the server could not show. */
  unshowable: readonly UnshowablePhoto[];
}

export type UnshowablePhoto = Answer<'GET /api/workers/photos'>['photos'][number];

const FieldContext = createContext<Field | undefined>(undefined);
export const FieldProvider = FieldContext.Provider;

export function useField(): Field {
  const field = useContext(FieldContext);
  if (!field) throw new Error('a card outside the worker portal');
  return field;
}
