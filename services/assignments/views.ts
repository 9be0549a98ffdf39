import type { ApiResponse } from '@arboleda/contracts/api.ts';
import {
  type Assignment,
  isWaiting,
  placeOf,
  plainCoordinates,
  plotOf,
  shownPhotos,
  type Staffed,
} from './assignment/assignment.ts';
import { holdingsOf } from './assignment/progress.ts';
import { visitOf, visitorOf } from './growth/purchase.ts';
import { shownStateOf, type ShownVisit, shownVisits, stateOf } from './growth/visits.ts';
import { freeTrees, type Load, type WorkerWithLoad } from './workers/worker.ts';

type OwnAssignments = ApiResponse<'GET /api/workers/assignments'>;
type VisitView = ApiResponse<'GET /api/workers/growth-visits'>['visits'][number];
type AdminView = ApiResponse<'GET /api/admin/orders/{id}/assignment'>['assignment'];
type Workload = ApiResponse<'GET /api/admin/workers/workloads'>['workers'][number];

export function assignmentView(assignment: Staffed): OwnAssignments['assignments'][number] {
  const { id, orderId, trees, customer, progress, notes } = assignment;
  return {
    _id: id,
    orderId,
    status: progress.status,
    trees,
    customerName: customer.name,
    customerEmail: customer.email,
    location: placeOf(assignment),
    plot: plotOf(assignment),
    coordinates: plainCoordinates(assignment),
    assignedAt: progress.assignedAt,
    plantedAt: progress.plantedAt,
    completedAt: progress.completedAt,
    notes,
    photos: shownPhotos(assignment),
  };
}

export const statsView = ({
  assigned,
  planted,
  completed,
  plantedTrees,
  completedTrees,
}: Load): OwnAssignments['stats'] => ({
  totalAssignments: assigned + planted + completed,
  treesPlanted: plantedTrees + completedTrees,
  completedOrders: completed,
  pendingAssignments: assigned,
});

export function visitView(visit: ShownVisit, now: string): VisitView {
  const { phase: _phase, workerId: _workerId, ...view } = visit;
  const state = stateOf(visit, now);
  return { ...view, state: state === 'waiting' ? 'scheduled' : state };
}

/** @param isActive whether its worker is active */
export function adminView(assignment: Assignment, isActive: boolean, now: string): AdminView {
  const { id, orderId, trees, progress, statusRevision, orderedAt, location, coordinates, notes } =
    assignment;
  const { status, worker } = progress;
  return {
    _id: id,
    orderId,
    trees,
    revision: statusRevision,
    orderedAt,
    location,
    coordinates,
    notes,
    status: status === 'withdrawn' || status === 'unpaid' ? 'pending' : status,
    ...(worker && { worker: { ...worker, active: isActive } }),
    isWaiting: isWaiting(assignment),
    isWithdrawn: assignment.isWithdrawn === true,
    assignedAt: progress.assignedAt,
    plantedAt: progress.plantedAt,
    completedAt: progress.completedAt,
    visits: shownVisits(assignment).map((visit) => ({
      _id: visit._id,
      orderId,
      assignmentId: id,
      purchaseId: visit.purchaseId,
      photoPackageType: visit.photoPackageType,
      number: visit.number,
      of: visit.of,
      dueAt: visit.dueAt,
      doneAt: visit.doneAt,
      photos: visit.photos,
      reminders: visit.reminders,
      state: shownStateOf(visit, now),
      worker: visitorOf(assignment, visitOf(assignment, visit._id)!.visit),
    })),
    history: holdingsOf(assignment),
  };
}

export function workloadView(worker: WorkerWithLoad, visitsDue: number): Workload {
  const { id: workerId, code, name, region, active, capacityTrees } = worker;
  const { openTrees, openAssignments, treesPlanted } = worker;
  return {
    workerId,
    code,
    name,
    region,
    active,
    capacityTrees,
    openTrees,
    openAssignments,
    treesPlanted,
    freeTrees: freeTrees(worker),
    visitsDue,
  };
}
