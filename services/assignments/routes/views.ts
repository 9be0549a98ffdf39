import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { type Assignment, placeOf, plainCoordinates, type Staffed } from '../assignment/assignment.ts';
import { holdingsOf } from '../assignment/history.ts';
import { shownPhotos } from '../assignment/photos.ts';
import { isWaiting } from '../assignment/steps.ts';
import { rowsOf, rowStateOf, stateOf, type VisitRow } from '../growth/rows.ts';
import { visitOf, visitorOf } from '../growth/purchase.ts';
import { freeTrees, type WorkerWithLoad } from '../workers/worker.ts';

type AssignmentView = ApiResponse<'GET /api/workers/assignments'>['assignments'][number];
type VisitView = ApiResponse<'GET /api/workers/growth-visits'>['visits'][number];
type AdminView = ApiResponse<'GET /api/admin/orders/{id}/assignment'>['assignment'];
type Workload = ApiResponse<'GET /api/admin/workers/workloads'>['workers'][number];

/** An assignment as its worker sees it. */
export function assignmentView(assignment: Staffed): AssignmentView {
  const { _id, orderId, trees, customer, progress, notes } = assignment;
  return {
    _id,
    orderId,
    status: progress.status,
    trees,
    customerName: customer.name,
    customerEmail: customer.email,
    location: placeOf(assignment),
    coordinates: plainCoordinates(assignment),
    assignedAt: progress.assignedAt,
    plantedAt: progress.plantedAt,
    completedAt: progress.completedAt,
    notes,
    photos: shownPhotos(assignment),
  };
}

/** A growth visit as its worker sees it. */
export function visitView(row: VisitRow, now: string): VisitView {
  const {
    phase: _phase,
    workerId: _workerId,
    noticeAt: _noticeAt,
    revision: _revision,
    photos,
    ...view
  } = row;
  const state = stateOf(row, now);
  return { ...view, photos: [...photos], state: state === 'waiting' ? 'scheduled' : state };
}

/** @param isActive whether its worker still works */
export function adminView(assignment: Assignment, isActive: boolean, now: string): AdminView {
  const { _id, orderId, trees, progress, statusRevision, orderedAt, location, coordinates, notes } =
    assignment;
  const { status, worker } = progress;
  return {
    ...{ _id, orderId, trees, revision: statusRevision, orderedAt, location, coordinates, notes },
    status: status === 'withdrawn' || status === 'unpaid' ? 'pending' : status,
    ...(worker && { worker: { ...worker, active: isActive } }),
    isWaiting: isWaiting(assignment),
    isWithdrawn: assignment.isWithdrawn === true,
    assignedAt: progress.assignedAt,
    plantedAt: progress.plantedAt,
    completedAt: progress.completedAt,
    visits: rowsOf(assignment).map((row) => ({
      ...{ _id: row._id, orderId, assignmentId: _id, purchaseId: row.purchaseId },
      ...{ photoPackageType: row.photoPackageType, number: row.number, of: row.of },
      ...{ dueAt: row.dueAt, doneAt: row.doneAt, photos: [...row.photos], reminders: row.reminders },
      state: rowStateOf(row, now),
      worker: visitorOf(assignment, visitOf(assignment, row._id)!.visit),
    })),
    history: holdingsOf(assignment),
  };
}

export function workloadView(
  worker: WorkerWithLoad,
  more: { visitsDue: number; treesPlanted: number },
): Workload {
  const { _id: workerId, code, name, region, active, capacityTrees, openTrees, openAssignments } = worker;
  return {
    ...{ workerId, code, name, region, active, capacityTrees, openTrees, openAssignments },
    freeTrees: freeTrees(worker),
    ...more,
  };
}
