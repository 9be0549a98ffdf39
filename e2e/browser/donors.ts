import { openClient } from '@arboleda/contracts/client.ts';
import { DEMO_ADMIN } from '@arboleda/local/demo/accounts.ts';
import { fieldPhoto } from '@arboleda/local/demo/photos.ts';
import type { Page } from 'playwright-core';
import { makeTirelessWorker, putAccount } from '../harness/accounts.ts';
import { openBuyer } from '../harness/buyer.ts';
import type { Language, Say } from '../harness/texts.ts';
import { waitFor } from '../harness/wait.ts';
import { logIn } from './people.ts';
import type { Stage } from './stage.ts';

export const PASSWORD = 'siembra-lluvia-2048';
export const NEW_PASSWORD = 'guadua-niebla-7310';
const PLACE = { latitude: 4.637214, longitude: -75.487031 };
const LONG_NAME = 'María Fernanda Echeverri-Londoño de Peña';

export type Donors = Awaited<ReturnType<typeof openDonors>>;

/** Donors with their accounts and orders, and the one worker who plants for them. */
export async function openDonors(stage: Stage) {
  const call = openClient(stage.product.url);
  // The only one who plants here, so that orders need not be looked for.
  await makeTirelessWorker(stage.product);
  const password = stage.product.demoPassword;
  const { token: admin } = await call('POST /api/auth/admin/login', {
    body: { email: DEMO_ADMIN.email, password },
  });
  const { token: worker } = await call('POST /api/auth/worker/login', {
    body: { email: 'rosa@bench.test', password },
  });
  return {
    call,

    makeCustomer: (email: string, language: Language = 'en') =>
      putAccount(stage.product, {
        ...{ role: 'customer', name: LONG_NAME, email, password: PASSWORD, emailVerified: true, language },
      }),

    /** Logged in at the portal. */
    async enter(page: Page, say: Say, email: string): Promise<void> {
      await page.goto(`${stage.product.url}/customer-portal`);
      await logIn(page, say, 'email', email, PASSWORD);
      await page.getByRole('button', { name: say('portal:logOut') }).waitFor();
    },

    /** An order that our worker has. @returns its ids, and how to go on with it */
    async order(email: string, trees?: number) {
      const bought = await openBuyer(stage.product).buy(email, trees);
      const params = { id: bought.orderId };
      const { workers } = await call('GET /api/admin/workers', {
        token: admin,
        query: { q: 'rosa@bench.test' },
      });
      return {
        ...bought,
        async assign() {
          const workerId = workers[0]!.id;
          const found = await waitFor('somebody to plant the order', async () => {
            const answer = call('GET /api/admin/orders/{id}/assignment', { token: admin, params });
            return (await answer.catch(() => undefined))?.assignment.worker;
          });
          if (found.workerId === workerId) return;
          const body = { workerId, reason: 'Lives nearby' };
          await call('PUT /api/admin/orders/{id}/assignment', { token: admin, params, body });
        },
        async plant() {
          const found = await waitFor('the assignment', async () => {
            const { assignments } = await call('GET /api/workers/assignments', { token: worker });
            return assignments.find(({ orderId }) => orderId === bought.orderId);
          });
          await call('PUT /api/workers/assignments/{id}/status', {
            ...{ token: worker, params: { id: found._id } },
            body: { status: 'planted', coordinates: PLACE },
          });
          return found._id;
        },
        async photograph(assignmentId: string, count: number) {
          const body = new FormData();
          for (let nth = 0; nth < count; nth++) {
            const taken = new Date(Date.now() - nth * 60_000);
            body.append('photos', await fieldPhoto('ph-planting.jpg', PLACE, taken), `${nth}.jpg`);
          }
          await call('POST /api/workers/assignments/{id}/photos', {
            ...{ token: worker, params: { id: assignmentId }, body: body as never },
          });
          await waitFor('the photos', async () => {
            const { photos } = await call('GET /api/track/{token}', { params: { token: bought.orderToken } });
            return photos.length === count;
          });
        },
      };
    },
  };
}

/** The link of a mail that leads there, with its secret. */
export const linkIn = (text: string, path: string): string =>
  new RegExp(`https?://\\S+${path}#\\S+`).exec(text)![0].replace(/[).>]+$/, '');
