import { openClient } from '@arboleda/contracts/client.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { DEMO_WORKERS } from '@arboleda/cli/demo/accounts.ts';
import { fieldPhoto, pictureForm } from '@arboleda/cli/demo/photos.ts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { rollServices } from '../../infra/docker/rolling.ts';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import { waitFor } from '../harness/wait.ts';
import { useCompose } from './composed.ts';
import { askDoctor } from './operator.ts';
import { workTogether } from './together.ts';
import { amongTraffic, expectOneOrderEach } from './traffic.ts';

jest.setTimeout(300_000);

const AWAY_MS = 30_000;
const AWAY_AND_BACK_WITHIN_MS = 480_000;
/** The doctor starts a process in each container to ask it, and looks again until all have noticed. */
const SEEN_WITHIN_MS = 120_000;
/** Each of eight services comes up once more beside the old one, which then drains. */
const ROLLED_WITHIN_MS = 900_000;

const product = useCompose();

const api = () => openClient(product.url, { signal: AbortSignal.timeout(120_000) });

describe('scaled', () => {
  beforeAll(async () => {
    const scale = ['--scale', 'payments=3', '--scale', 'media=3', '--scale', 'orders=2'];
    await product.compose('up', '--detach', '--wait', '--no-recreate', ...scale);
  });

  const each = async (service: string, metric: string, labels?: string) =>
    Promise.all([1, 2, 3].map((replica) => product.figure(service, replica, metric, labels)));

  test('every replica of payments takes webhooks', async () => {
    const webhooks = () => each('payments', 'http_request_duration_seconds_count', 'stripe-webhook');
    const driver = openDriver(product);
    await waitFor('a webhook at each replica', async () => {
      await Promise.all(Array.from({ length: 5 }, () => driver.buy('scaled@mail.test')));
      return Math.min(...(await webhooks())) > 0;
    });
  });

  test('every replica of media takes photos, and makes their sizes', async () => {
    const [worker] = DEMO_WORKERS;
    const body = { email: worker!.email, password: product.demoPassword };
    const { token } = await api()('POST /api/auth/worker/login', { body });
    const { assignments } = await api()('GET /api/workers/assignments', { token });
    const assignment = assignments.find(({ status }) => status === 'assigned')!;
    const place = { latitude: 4.6, longitude: -75.5 };
    await api()('PUT /api/workers/assignments/{id}/status', {
      token,
      params: { id: assignment._id },
      body: { status: 'planted', coordinates: place },
    });
    const photos = 24;
    for (let n = 0; n < photos; n++) {
      const leaf = await fieldPhoto('ph-leaf.jpg', place, new Date(Date.UTC(2026, 4, 1, 0, n)));
      await api()('POST /api/workers/assignments/{id}/photos', {
        token,
        params: { id: assignment._id },
        body: pictureForm('photos', [leaf]),
      });
    }
    await waitFor('all sizes to be made', async () => {
      const made = await each('media', 'photo_variants_seconds_count');
      return made.reduce((sum, count) => sum + count, 0) >= photos && Math.min(...made) > 0;
    });
    expect(Math.min(...(await each('media', 'photos_accepted_total')))).toBeGreaterThan(0);
  });

  workTogether(() => product);
});

describe('under traffic', () => {
  test(
    'replicas go, then every service is replaced: without a failed call or a lost order',
    async () => {
      const traffic = await amongTraffic(product, {}, async () => {
        const fewer = ['--scale', 'payments=1', '--scale', 'media=1', '--scale', 'orders=1'];
        await product.compose('up', '--detach', '--wait', '--no-recreate', ...fewer);
        expect(await product.replicas('payments')).toBe(1);
        const docker = (...args: string[]) =>
          args[0] === 'compose' ? product.compose(...args.slice(1)) : product.docker(...args);
        await rollServices(SERVICES, () => undefined, { docker });
      });
      const { calls, failures } = traffic;
      expect({ calls: calls > 500, failures }).toEqual({ calls: true, failures: [] });
      await expectOneOrderEach(product, traffic);
    },
    ROLLED_WITHIN_MS,
  );

  test(
    'the broker is away for thirty seconds: no payment is refused, no order lost or doubled',
    async () => {
      let paidMeanwhile = 0;
      const traffic = await amongTraffic(product, { orderSoon: false }, async ({ paid }) => {
        await waitFor('traffic', async () => paid.length > 2);
        await withoutBroker(async () => {
          const paidBefore = paid.length;
          const away = sleep(AWAY_MS);
          await theDoctorSays([/^The container kafka does not run: .* Waiting for it: [\w, ]+\.$/]);
          await away;
          paidMeanwhile = paid.length - paidBefore;
        });
        const paidBefore = paid.length;
        await waitFor('traffic again', async () => paid.length > paidBefore + 2);
      });
      expect(traffic.failures).toEqual([]);
      expect(paidMeanwhile).toBeGreaterThan(10);
      await expectOneOrderEach(product, traffic);
    },
    AWAY_AND_BACK_WITHIN_MS,
  );
});

async function withoutBroker(work: () => Promise<void>): Promise<void> {
  await product.compose('stop', 'kafka');
  try {
    await work();
  } finally {
    await product.compose('start', 'kafka');
  }
}

/** Waits until it says this and nothing else. @throws with what it says instead */
async function theDoctorSays(sentences: readonly RegExp[]): Promise<void> {
  const notice = async () => {
    const said = await askDoctor(product);
    expect(said).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)));
    return true;
  };
  await waitFor('the doctor', notice, SEEN_WITHIN_MS);
}
