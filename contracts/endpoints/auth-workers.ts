import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cursor, id, language, pageLimit } from '../fields.ts';
import { managedWorker, region, searched, workerCode, workerInput } from './auth-fields.ts';

const reading = { service: 'auth', access: ['admin'], permission: 'workers:read' } as const;
const writing = { ...reading, permission: 'workers:write' } as const;
const params = z.object({ id });
const response = z.object({ worker: managedWorker });
const etag = ({ worker }: z.infer<typeof response>) => String(worker.revision);

export const authWorkersEndpoints = {
  'GET /api/admin/workers': endpoint({
    ...reading,
    audit: 'worker.listed',
    summary: 'Workers by their code, a page at a time',
    query: z.object({
      q: searched.optional(),
      active: z.enum(['true', 'false']).optional(),
      region: region.optional(),
      limit: pageLimit(50),
      cursor: cursor.optional(),
    }),
    response: z.object({ workers: z.array(managedWorker), nextCursor: z.string().optional() }),
  }),
  'POST /api/admin/workers': endpoint({
    ...writing,
    audit: 'worker.added',
    summary:
      'Add a worker; a mail invites them to set a password. The code is made from the region when not given',
    status: 201,
    body: workerInput.extend({ code: workerCode.optional(), language: language.default('es') }),
    response,
    etag,
    problems: ['worker-email-taken', 'worker-code-taken'],
  }),
  'GET /api/admin/workers/{id}': endpoint({ ...reading, summary: 'A worker', params, response, etag }),
  'PUT /api/admin/workers/{id}': endpoint({
    ...writing,
    audit: 'worker.changed',
    summary:
      'Change a worker; what is not sent stays. Who is not active is logged out and gets no more orders',
    params,
    body: workerInput.extend({ active: z.boolean() }).partial(),
    response,
    etag,
    problems: ['worker-email-taken', 'precondition-failed'],
  }),
  'POST /api/admin/workers/{id}/invitation': endpoint({
    ...writing,
    audit: 'worker.invited',
    summary: 'Send the invitation again; the former link is of no use any more',
    params,
    status: 202,
    response: z.object({}),
    problems: ['invitation-accepted', 'worker-inactive', 'too-many-requests'],
  }),
  'DELETE /api/admin/workers/{id}': endpoint({
    ...writing,
    audit: 'worker.removed',
    summary: 'Remove a worker who never accepted the invitation',
    params,
    status: 204,
    problems: ['worker-has-joined'],
  }),
};
