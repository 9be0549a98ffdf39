import type { Answer } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { newOrderId, orderCreated } from './builders.ts';
import type { AssignmentsFixture } from './fixture.ts';

export const PUT = 'PUT /api/admin/orders/{id}/assignment';
export const GET = 'GET /api/admin/orders/{id}/assignment';

/** Actions of admins on orders. */
export function adminClient(field: () => AssignmentsFixture) {
  return {
    assign: (
      id: string,
      body: unknown,
      more: { adminId?: string; headers?: Record<string, string> } = {},
    ): Promise<Answer> => field().asAdmin(PUT, { params: { id }, body, ...more }),

    async shown(id: string): Promise<ApiResponse<typeof GET>['assignment']> {
      return (await field().asAdmin(GET, { params: { id } })).body.assignment;
    },

    /** Two workers; Ana has a region of her own. */
    async pair() {
      const region = newOrderId();
      const [ana, luis] = [`ana-${region}`, `luis-${region}`];
      await field().known(
        { workerId: ana, region, code: 'A' },
        { workerId: luis, region: 'Huila', code: 'L' },
      );
      return { region, ana, luis };
    },

    /** An order that exceeds everybody's capacity. */
    async waitingOrder(trees = 9_000): Promise<string> {
      const created = orderCreated({ trees });
      await field().publish(created);
      await waitFor(() => field().store.assignments.get(`assignment-${created.data.orderId}`));
      return created.data.orderId;
    },
  };
}

export const refusal = ({ status, body }: Answer) => ({ status, type: body.type });
