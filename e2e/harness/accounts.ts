import { signAsOperator } from '@arboleda/chassis/http/service-token.ts';
import type { CallParts } from '@arboleda/contracts/client.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { putAccounts } from '@arboleda/cli/demo/accounts.ts';
import type { Running } from './product.ts';

type Account = CallParts<'PUT /internal/accounts'>['body'];

const serviceToken = ({ serviceKeys }: Running) => signAsOperator(serviceKeys.operator, 'auth');

/** The accounts of the demo, with its password. */
export async function makeAccounts(at: Running): Promise<void> {
  await putAccounts(at.callAuth, at.demoPassword, await serviceToken(at));
}

/** Makes an account, or gives it this password again. */
export async function putAccount(at: Running, account: Account): Promise<void> {
  await at.callAuth('PUT /internal/accounts', { token: await serviceToken(at), body: account });
}

/** Password of everybody whom `putPerson` makes. */
export const PASSWORD = 'guadua-cedro-7310';

/** Makes somebody with a verified address. @param workerCode of a worker, who takes whatever comes */
export const putPerson = (at: Running, role: Role, email: string, workerCode?: string): Promise<void> =>
  putAccount(at, {
    role,
    name: 'Rosa Prueba',
    email,
    password: PASSWORD,
    emailVerified: true,
    ...(workerCode && { worker: { code: workerCode, region: 'Quindío', capacityTrees: 1_000_000 } }),
  });
