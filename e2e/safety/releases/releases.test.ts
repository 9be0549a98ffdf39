import { restore } from '@arboleda/cli/backup/embedded.ts';
import { type Driver, openDriver } from '@arboleda/cli/demo/driver.ts';
import { fieldPhoto, PLACE } from '@arboleda/cli/demo/photos.ts';
import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import { createVerifyCryptosuite } from '@digitalbazaar/eddsa-jcs-2022-cryptosuite';
import { defaultDocumentLoader, verifyCredential } from '@digitalbazaar/vc';
import { checkStatus } from '@digitalbazaar/vc-bitstring-status-list';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openDataDir, type Product, startProduct } from '../../harness/product.ts';
import { differences, isExpiring, type Mail, mailName, unpacked } from './compare.ts';
import { atGateway, calm, type Expected, receivedIds } from './fixture.ts';
import { ENVIRONMENT } from './installation.ts';
import { type Seen, seeAgain } from './see.ts';

const AUDIT = fileURLToPath(new URL('../../../infra/chassis/audit/main.ts', import.meta.url));
const RELEASES = readdirSync(import.meta.dirname).filter((name) => /^\d+\.\d+\.\d+$/.test(name));

test('the first release has a fixture', () => {
  expect(RELEASES).toContain('1.0.0');
});

for (const version of RELEASES)
  describe(`an installation of ${version}, restored by this release,`, () => {
    const folder = join(import.meta.dirname, version);
    const { madeAt, keys, seen } = JSON.parse(
      readFileSync(join(folder, 'expected.json'), 'utf8'),
    ) as Expected;
    const expected = unpacked(seen);
    let data: Awaited<ReturnType<typeof openDataDir>>;
    let product: Product;
    let driver: Driver;
    beforeAll(async () => {
      data = await openDataDir();
      const dataDir = join(data.path, 'data');
      await restore({ DATA_DIR: dataDir }, join(folder, 'backup'));
      product = atGateway(await startProduct(dataDir, ENVIRONMENT));
      driver = openDriver(product);
      await calm(product);
    }, 240_000);
    afterAll(async () => {
      await product?.stop();
      await data?.remove();
    });
    const logIn = (name: string, code?: string) => {
      const { role, email, password } = keys.people[name]!;
      const body = { email, password, ...(code && { code }) };
      return driver.call(`POST /api/auth/${role}/login`, { body });
    };

    test('shows and opens all that it did', async () => {
      const actual = await seeAgain(product.url, keys, Object.keys(expected));
      expect(differences(expected, actual, madeAt)).toEqual([]);
    }, 120_000);

    test('sends the emails that waited, once, and none that was sent before', async () => {
      const received = await receivedIds(product);
      const timesOf = ({ id }: Mail) => received.filter((one) => one === id).length;
      const wasSent = ({ sentAt }: Mail) => sentAt !== undefined && sentAt < madeAt;
      const waited = mailsIn(expected).filter((mail) => !wasSent(mail) && mail.sentAt && !isExpiring(mail));
      expect(waited.length).toBeGreaterThan(0);
      const now = mailsIn(await seeAgain(product.url, keys, [MAILS]));
      const sent = waited.map((mail) => now.filter((one) => mailName(one) === mailName(mail)));
      expect(sent.map((ones) => ones.map(timesOf))).toEqual(waited.map(() => [1]));
      expect(mailsIn(expected).filter((mail) => wasSent(mail) && timesOf(mail) > 0)).toEqual([]);
    });

    test('vouches for the credentials that donors downloaded', async () => {
      const documentLoader = async (address: string) => {
        const url = addressOf(address);
        if (!url) return defaultDocumentLoader(address);
        const document = (await (await fetch(new URL(url, product.url))).json()) as DidDocument;
        const method = document.verificationMethod?.find(({ id }) => id === address);
        return { document: method ? { '@context': MULTIKEY, ...method } : document };
      };
      const suite = new DataIntegrityProof({ cryptosuite: createVerifyCryptosuite() });
      const states: boolean[] = [];
      for (const code of keys.certificates) {
        const credential = expected[`anybody GET /api/certificates/${code}/credential`];
        const answer = await verifyCredential({ credential, suite, documentLoader, checkStatus });
        const { verified: isSigned } = await verifyCredential({
          credential,
          suite,
          documentLoader,
          checkStatus: async () => ({ verified: true }),
        });
        expect([code, isSigned]).toEqual([code, true]);
        states.push(answer.statusResult!.results.every(({ status }) => !status));
      }
      // Current ones, and those that were superseded or revoked.
      expect(new Set(states)).toEqual(new Set([true, false]));
    });

    test('lets an admin in by a recovery code', async () => {
      const code = keys.people.twoFactor!.recoveryCodes![0]!;
      expect(await logIn('twoFactor', code)).toMatchObject({ user: { adminRole: 'owner' } });
      await expect(logIn('twoFactor', code)).rejects.toThrow('second-factor-invalid');
    });

    test('sells, plants, refunds and takes back, and its audit log is whole', async () => {
      const { token: worker } = await logIn('worker');
      const { token: finance } = await logIn('finance');
      const planted = await driver.buy('new@fixture.test', { trees: 5 });
      const { _id } = await driver.until('the assignment', () =>
        driver.assignmentOf(worker, planted.orderId),
      );
      await driver.plant(worker, _id);
      await driver.photograph(worker, _id, [await fieldPhoto('ph-leaf.jpg', PLACE, new Date())]);
      await driver.until('the photo', async () => {
        return (await driver.track(planted.orderToken))!.photos.length > 0;
      });
      const { paymentId } = await driver.payment(finance, planted.orderId);
      expect(await driver.refund(finance, paymentId, 'One tree less', 100)).toMatchObject({
        status: 'succeeded',
      });
      const email = 'withdraws@fixture.test';
      const withdrawn = await driver.buy(email, { trees: 1 });
      const { order } = await driver.call('POST /api/track/{token}/withdrawal', {
        params: { token: withdrawn.orderToken },
        body: { email },
      });
      expect(order.withdrawal).toBeDefined();
      const { stdout } = await promisify(execFile)(process.execPath, [AUDIT, 'verify'], {
        env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: product.databaseUrl },
      });
      expect(stdout.match(/ whole /g)).toHaveLength(5);
    }, 120_000);
  });

const MAILS = 'owner GET /api/admin/mails';
const mailsIn = (seen: Seen) => (seen[MAILS] as { mails: Mail[] }).mails;

interface DidDocument {
  verificationMethod?: { id: string }[];
}

const MULTIKEY = 'https://w3id.org/security/multikey/v1';

/** Where our own site has a document; undefined for those of others. */
function addressOf(address: string): string | undefined {
  if (address.startsWith('did:web:')) return '/.well-known/did.json';
  return address.startsWith(ENVIRONMENT.SITE_URL) ? address.slice(ENVIRONMENT.SITE_URL.length) : undefined;
}
