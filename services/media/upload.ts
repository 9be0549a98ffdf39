import type { UploadedFile } from '@arboleda/chassis/http/upload.ts';
import { type FieldFault, fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { randomBytes } from 'node:crypto';
import { inspect, type Inspected, PhotoRefused } from './inspect.ts';
import { type Photo, photoId } from './photo.ts';

const FIELD = 'photos';
const MAX_NAME_LENGTH = 200;

/** The assignment that photos are sent for. */
export interface Assignment {
  assignmentId: string;
  orderId: string;
  workerId: string;
}

export type CheckedFile = UploadedFile & Inspected;

/**
 * Checks every file before anything is kept. `limited` bounds how many are decoded at a time.
 * @throws Problem of the first fault that names each file at fault, as `photos.1`.
 */
export async function checkFiles(
  files: readonly UploadedFile[],
  now: Date,
  limited: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<CheckedFile[]> {
  if (files.length === 0) throw fieldProblem(FIELD, 'required');
  const checked: CheckedFile[] = [];
  const faults: (FieldFault & { type: PhotoRefused['type'] })[] = [];
  for (const [index, file] of files.entries()) {
    try {
      checked.push({ ...file, ...(await limited(() => inspect(file.bytes, now))) });
    } catch (error) {
      if (!(error instanceof PhotoRefused)) throw error;
      faults.push({ path: `${FIELD}.${index}`, type: error.type });
    }
  }
  if (faults[0]) throw new Problem(faults[0].type, { fields: faults });
  return checked;
}

/** A photo as it is first kept. */
export const newPhoto = (file: CheckedFile, assignment: Assignment, now: Date): Photo => ({
  _id: photoId(assignment.assignmentId, file.bytes),
  filename: `${randomBytes(16).toString('base64url')}.jpg`,
  assignmentId: assignment.assignmentId,
  orderId: assignment.orderId,
  workerId: assignment.workerId,
  originalName: file.originalName.slice(0, MAX_NAME_LENGTH),
  contentType: file.contentType,
  sizeBytes: file.bytes.length,
  ...file.evidence,
  uploadedAt: now.toISOString(),
  state: 'accepted',
  variants: [],
});
