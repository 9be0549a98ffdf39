import type { Answer } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import type { Receipt } from './drain.ts';
import type { PhotoItem } from './item.ts';

export type Accepted = Answer<'POST /api/workers/assignments/{id}/photos'>;

const FOLDERS = { assignment: 'assignments', visit: 'growth-visits' };

export const photoPath = ({ occasion: { kind, id } }: PhotoItem): string =>
  `/api/workers/${FOLDERS[kind]}/${encodeURIComponent(id)}/photos`;

/**
 * Form with a photo and the details its file lost.
 * @throws ApiProblem when the browser evicted the picture to free space
 */
export function photoForm({ id, name, type, details }: PhotoItem, file: ArrayBuffer | undefined): FormData {
  if (!file) throw new ApiProblem({ type: 'photo-damaged', status: 422, title: 'Damaged' });
  const form = new FormData();
  form.append('details', JSON.stringify([{ clientId: id, ...details }]));
  form.append('photos', new File([file], name, { type }));
  return form;
}

export function receiptOf(answer: Accepted): Receipt {
  const { filename, duplicate, flags } = answer.photos[0]!;
  return { kind: 'photo', filename, duplicate, isHandedOver: flags.includes('after-reassignment') };
}
