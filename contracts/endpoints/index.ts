import { assignmentsEndpoints } from './assignments.ts';
import {
  assignmentsAuditEndpoints,
  notificationsAuditEndpoints,
  ordersAuditEndpoints,
  paymentsAuditEndpoints,
} from './audit-log.ts';
import { authEndpoints } from './auth.ts';
import { mediaEndpoints } from './media.ts';
import { notificationsEndpoints } from './notifications.ts';
import { ordersEndpoints } from './orders.ts';
import { paymentsEndpoints } from './payments.ts';
import { pricingEndpoints } from './pricing.ts';

export const ENDPOINTS = {
  ...authEndpoints,
  ...pricingEndpoints,
  ...paymentsEndpoints,
  ...ordersEndpoints,
  ...assignmentsEndpoints,
  ...mediaEndpoints,
  ...notificationsEndpoints,
  ...paymentsAuditEndpoints,
  ...ordersAuditEndpoints,
  ...assignmentsAuditEndpoints,
  ...notificationsAuditEndpoints,
};
export type Endpoints = typeof ENDPOINTS;
