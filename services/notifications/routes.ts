import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { notificationsEndpoints } from '@arboleda/contracts/endpoints/notifications.ts';
import { mayDo } from '@arboleda/contracts/permissions.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { listMails, readMail, readWrittenMail } from './log/mail-log.ts';
import { preferencesUrl } from './mails/links.ts';
import { chooseNews, chooseNewsOf, readNews, readNewsOf } from './queue/addresses.ts';
import { recordBounce } from './queue/bounces.ts';
import { resendMail, resendReceipt } from './queue/resend.ts';
import { knowsOrder } from './copies/orders.ts';
import { requireSecret } from './secret.ts';

/** @param bounceSecret authenticates the mail provider; bounces are refused without it */
export function routes(
  sql: Sql,
  siteUrl: string,
  bounceSecret: string | undefined,
  clock: () => Date,
): Handlers<typeof notificationsEndpoints> {
  return {
    async 'GET /api/admin/orders/{id}/mails'({ params: { id: orderId }, query }) {
      if (!(await knowsOrder(sql, orderId))) throw new Problem('not-found');
      return listMails(sql, { orderId }, query);
    },

    async 'GET /api/admin/mails'({ query: { state, q, ...page } }) {
      return listMails(sql, { state, q }, page);
    },

    async 'GET /api/admin/mails/{id}'({ params, person }) {
      const withPrivateLinks = mayDo(person.adminRole, 'orders:write');
      const written = await readWrittenMail(sql, params.id, { siteUrl, withPrivateLinks });
      if (!written) throw new Problem('not-found');
      return written;
    },

    async 'POST /api/admin/mails/{id}/resend'({ params, idempotencyKey }) {
      const id = await resendMail(sql, params.id, idempotencyKey);
      return { mail: (await readMail(sql, id))! };
    },

    async 'POST /api/customers/orders/{id}/resend-mail'({ params, person, idempotencyKey }) {
      await resendReceipt(sql, params.id, ownAddress(person), idempotencyKey);
      return {};
    },

    'GET /api/customers/mail-preferences': async ({ person }) => ({
      news: await readNewsOf(sql, ownAddress(person)),
    }),

    async 'PUT /api/customers/mail-preferences'({ person, body: { news } }) {
      await chooseNewsOf(sql, { accountId: person.id, address: ownAddress(person) }, news);
      return { news };
    },

    async 'POST /api/mail/bounces'({ body, headers }) {
      if (bounceSecret === undefined) throw new Problem('not-found');
      requireSecret(headers.authorization, bounceSecret);
      if (!(await recordBounce(sql, body, clock()))) throw new Problem('not-found');
    },

    async 'POST /api/mail/unsubscribe/{token}'({ params }) {
      if (!(await chooseNews(sql, params.token, false))) throw new Problem('not-found');
    },

    'GET /api/mail/unsubscribe/{token}': async ({ params }) => preferencesUrl(siteUrl, params.token),

    async 'GET /api/mail/preferences/{token}'({ params }) {
      const news = await readNews(sql, params.token);
      if (news === undefined) throw new Problem('not-found');
      return { news };
    },

    async 'PUT /api/mail/preferences/{token}'({ params, body: { news } }) {
      if (!(await chooseNews(sql, params.token, news))) throw new Problem('not-found');
      return { news };
    },
  };
}

/** Only a verified address proves that it is theirs, and its orders with it. @throws Problem not-found */
function ownAddress({ email, emailVerified }: Person): string {
  if (!emailVerified || !email) throw new Problem('not-found');
  return email;
}
