import { type Answer, request } from '@arboleda/chassis/testing/request.ts';
import { probeEvents } from '@arboleda/chassis/testing/probe.ts';
import type { Endpoints } from '@arboleda/contracts/endpoints/index.ts';
import type { PaymentsConfig } from '../../config.ts';
import { openHarness } from '../../test/harness.ts';
import { FORM } from '../../transfers/test/transfers.ts';
import { jpeg } from '../../transfers/test/pictures.ts';
import { csv, iso, type Line } from './files.ts';

export const ACCOUNT = '123-456789-00';
/** Price of five trees, in centavos. */
export const GROVE_MINOR = 8_230_000;

/** The payments service with admins who import statements. */
export async function startTestStatements(own: Partial<PaymentsConfig> = {}) {
  const harness = await openHarness({
    bankAccounts: [
      { bank: 'bancolombia', accountType: 'A', accountNumber: ACCOUNT, holder: 'H', taxId: 'T' },
    ],
    ...own,
  });
  const { url, identity, platform } = harness;
  const events = await probeEvents(platform, [
    'payment.succeeded',
    'payment.refunded',
    'payment.return_suspected',
    'payment.return_settled',
    'statement.imported',
    'transfer.matched',
  ]);
  const tokens = {
    clara: await identity.token({ role: 'admin', id: 'clara', name: 'Clara' }),
    diego: await identity.token({ role: 'admin', id: 'diego', name: 'Diego' }),
    eva: await identity.token({ role: 'admin', id: 'eva', name: 'Eva' }),
  };
  type Who = keyof typeof tokens;

  const post = (key: keyof Endpoints, body: object, who: Who = 'clara'): Promise<Answer> =>
    request(url, key, { token: tokens[who], body });

  const upload = (bytes: Uint8Array, who: Who = 'clara', name = 'extracto.csv'): Promise<Answer> => {
    const form = new FormData();
    form.append('statement', new File([bytes as never], name));
    return request(url, 'POST /api/admin/statements', { token: tokens[who], form });
  };
  const confirm = (id: string, who: Who = 'clara'): Promise<Answer> =>
    request(url, 'POST /api/admin/statements/{id}/confirm', { token: tokens[who], params: { id } });

  return {
    ...harness,
    events,
    post,
    upload,
    confirm,
    setLayout: (id: string, body: object): Promise<Answer> =>
      request(url, 'PUT /api/admin/statements/{id}/layout', { token: tokens.clara, params: { id }, body }),
    /** Uploads and confirms rows as a CSV file. */
    async import(lines: readonly Line[], who: Who = 'clara') {
      const draft = await upload(csv(lines, { day: iso }), who);
      return (await confirm(draft.body.statement.statementId, who)).body.statement;
    },
    /** Announces a transfer of five trees, with a reference of ours. */
    async send(fields: Record<string, string> = {}) {
      const { referenceNumber } = (await request(url, 'GET /api/manual-payments/reference')).body;
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...FORM, referenceNumber, ...fields }))
        form.append(name, value);
      form.append('evidenceFiles', new File([(await jpeg()) as never], 'a.jpg', { type: 'image/jpeg' }));
      const { body } = await request(url, 'POST /api/manual-payments/create-order', { form });
      return { orderId: String(body.orderId), reference: String(body.referenceNumber) };
    },
    list: async (list: string, query: Record<string, string> = {}) =>
      (
        await request(url, 'GET /api/admin/statement-rows', {
          token: tokens.clara,
          query: { list, ...query },
        })
      ).body,
    /** The row with this text, on whatever list. */
    async row(text: string) {
      for (const list of ['sure', 'perhaps', 'unknown', 'without-order', 'done']) {
        const { rows } = await this.list(list, { q: text, limit: '200' });
        if (rows.length > 0) return rows[0];
      }
      return undefined;
    },
    debits: async (list: string, query: Record<string, string> = {}) =>
      (
        await request(url, 'GET /api/admin/statement-debits', {
          token: tokens.clara,
          query: { list, ...query },
        })
      ).body,
    /** The debit with this text, on whatever list. */
    async debit(text: string) {
      for (const list of ['returns', 'others', 'done']) {
        const { debits } = await this.debits(list, { q: text, limit: '200' });
        if (debits.length > 0) return debits[0];
      }
      return undefined;
    },
    statements: async () => (await request(url, 'GET /api/admin/statements', { token: tokens.clara })).body,
    decideByHand: (orderId: string, decision: 'verify' | 'reject', who: Who = 'clara') =>
      request(url, `POST /api/admin/manual-payments/${decision}/{id}`, {
        token: tokens[who],
        params: { id: orderId },
        ...(decision === 'reject' && { body: { reason: 'No money came' } }),
      }),
    async order(orderId: string) {
      const { body } = await request(url, 'GET /api/admin/manual-payments/pending-verification', {
        token: tokens.clara,
        query: { status: 'all', limit: '100' },
      });
      return body.orders.find((one: { _id: string }) => one._id === orderId);
    },
  };
}
export type TestStatements = Awaited<ReturnType<typeof startTestStatements>>;
