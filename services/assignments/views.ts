import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { placeOf, type Staffed } from './assignment.ts';

type AssignmentView = ApiResponse<'GET /api/workers/assignments'>['assignments'][number];

/** An assignment as its worker sees it. */
export function assignmentView(assignment: Staffed): AssignmentView {
  const { _id, orderId, trees, customer, progress, coordinates, notes, photos } = assignment;
  return {
    _id,
    orderId,
    status: progress.status,
    trees,
    customerName: customer.name,
    customerEmail: customer.email,
    location: placeOf(assignment),
    coordinates,
    assignedAt: progress.assignedAt,
    plantedAt: 'plantedAt' in progress ? progress.plantedAt : undefined,
    completedAt: 'completedAt' in progress ? progress.completedAt : undefined,
    notes,
    photos: photos.map((photo) => photo.filename),
  };
}
