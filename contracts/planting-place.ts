import type { z } from 'zod';
import { placeFault } from './colombia.ts';
import { coordinates, type Coordinates } from './fields.ts';
import type { FieldProblemType } from './problems.ts';

/** Refuses a place that a person gives for trees and that is not in Colombia, at the half that is probably wrong. */
export function refuseOtherPlaces(place: Coordinates, context: z.RefinementCtx<Coordinates>): void {
  const isOnEarth = Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180;
  const fault = isOnEarth && placeFault(place);
  if (!fault) return;
  const problem: FieldProblemType = `place-${fault.why}`;
  context.addIssue({ code: 'custom', path: [fault.field], message: problem, params: { problem } });
}

export const plantingPlace = coordinates.superRefine(refuseOtherPlaces);
