import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { waitFor } from '../../harness/wait.ts';
import { useTarget } from '../target.ts';
import { MARK } from './bytes.ts';
import { badForms, CONTENT_TYPES, filePart, form, NAMES, type Sent, textPart } from './forms.ts';
import { openMemory } from './memory.ts';
import { type HostileFile, hostileFiles } from './pictures.ts';

jest.setTimeout(60_000);

/**
 * The whole product in one process, after whatever was thrown at it: what one decoder may take (280 MB), twice, and
 * what uploads of one request weigh.
 */
const MAX_GROWTH_MB = 700;

const target = useTarget();
const { product, objects, tokens } = target;
const files = await hostileFiles();
const photo = files.find(({ must }) => must === 'shown')!.bytes;

/** A call that takes files, and where what was made of them can be looked at. */
interface UploadCall {
  name: string;
  field: string;
  /** Text fields of a proper form. */
  fields: Buffer[];
  send(sent: Sent): Promise<{ status: number; text: string }>;
  /** The accepted file as people see it; undefined while it is processed. */
  shown(answer: string): Promise<Response[] | undefined>;
}

const asAdmin = () => ({ headers: { Authorization: `Bearer ${tokens.admin}` } });

/** Photos of growth visits are read, looked at and kept by the code of those of plantings. */
const photos: UploadCall = {
  name: 'photos of a planting',
  field: 'photos',
  fields: [],
  send: (sent) => post(`/api/workers/assignments/${objects.assignmentId}/photos`, sent, tokens.worker),
  async shown(answer) {
    const taken = (JSON.parse(answer) as { photos: { filename: string }[] }).photos;
    const looked = taken.map(({ filename }) => fetch(`${product.url}/api/photos/${filename}`));
    const responses = await Promise.all(looked);
    return responses.every(({ ok }) => ok) ? responses : undefined;
  },
};

const evidence: UploadCall = {
  name: 'evidence of a transfer',
  field: ENDPOINTS['POST /api/manual-payments/create-order'].upload.field,
  fields: Object.entries({
    trees: '1',
    packageType: 'individual',
    currency: 'COP',
    customerName: 'Hostil Prueba',
    customerEmail: 'hostile@security.test',
    customerPhone: '',
    referenceNumber: '',
  }).map(([name, value]) => textPart(name, value)),
  send: (sent) => post('/api/manual-payments/create-order', sent),
  async shown(answer) {
    const { orderId } = JSON.parse(answer) as { orderId: string };
    const { orders } = await target.call('GET /api/admin/manual-payments/pending-verification', {
      token: tokens.admin,
      query: { limit: 100, status: 'all' },
    });
    const order = orders.find(({ _id }) => _id === orderId);
    const urls = order?.manualPayment.evidenceFiles.map(
      ({ filename }) => `${product.url}/api/admin/manual-payments/evidence/${filename}`,
    );
    return urls && Promise.all(urls.map((url) => fetch(url, asAdmin())));
  },
};

async function post(path: string, { contentType, body, headers }: Sent, token?: string) {
  const response = await fetch(product.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': contentType,
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: new Uint8Array(body),
  });
  return { status: response.status, text: await response.text() };
}

/** Never a fault of ours, never a word of the inside: a problem, or what was asked for. */
async function answered(call: UploadCall, sent: Sent) {
  const answer = await call.send(sent);
  expect(String(answer.status)).toMatch(/^[24]/);
  expect(answer.text).not.toMatch(/sharp|vips|busboy|node_modules|\n\s+at /);
  return { ...answer, isTaken: answer.status < 300 };
}

const formOf = ({ fields, field }: UploadCall, bytes: Uint8Array, name?: string, type?: string) =>
  form(...fields, filePart(field, bytes, name, type));

let memory: ReturnType<typeof openMemory>;
let beforeMb: number | undefined;
beforeAll(() => {
  memory = openMemory(product.pid);
  beforeMb = memory?.look().nowMb;
});
afterAll(async () => {
  // Linux tells.
  if (memory) expect(memory.look().peakMb - beforeMb!).toBeLessThan(MAX_GROWTH_MB);
  expect((await fetch(`${product.url}/readyz`)).ok).toBe(true);
});

describe.each([photos, evidence])('$name:', (call) => {
  test.each(files)('$name', async ({ bytes, must }: HostileFile) => {
    const { isTaken, text } = await answered(call, formOf(call, bytes));
    if (must !== 'either') expect([must, isTaken]).toEqual([must, must === 'shown']);
    if (isTaken) {
      const shown = await waitFor('what was made of it', () => call.shown(text));
      for (const response of shown) await expectSafe(bytes, response);
    } else {
      const { errors = [] } = JSON.parse(text) as { errors?: { path: string }[] };
      expect(errors.map(({ path }) => path.split('.')[0])).toContain(call.field);
    }
  });

  test.each(NAMES.map((name) => [name.slice(0, 40), name]))('a file named %j', async (_shown, name) => {
    const { text } = await answered(call, formOf(call, photo, name));
    const told = /"originalName":("(?:[^"\\]|\\.)*")/.exec(text)?.[1] ?? '""';
    const kept = JSON.parse(told) as string;
    expect(kept).not.toMatch(/[/\\\p{Cc}\u202e]/u);
    expect([...kept].length).toBeLessThanOrEqual(200);
  });

  test.each(CONTENT_TYPES.map((type) => [type.slice(0, 40), type]))(
    'a file said to be %s',
    async (_shown, type) => {
      await answered(call, formOf(call, photo, 'photo.jpg', type));
    },
  );

  test.each(Object.entries(badForms(call.fields, call.field, photo)))(
    'a form with %s',
    async (_name, sent) => {
      await answered(call, sent);
    },
  );
});

const PICTURES = ['image/jpeg', 'image/webp', 'image/avif'];

/** A served file is a picture that was encoded here, with nothing else in it; an original is saved, never opened. */
async function expectSafe(sent: Buffer, response: Response): Promise<void> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const header = (name: string) => response.headers.get(name) ?? '';
  expect(response.status).toBe(200);
  expect(header('x-content-type-options')).toBe('nosniff');
  expect(header('content-security-policy')).toMatch(/default-src 'none'.*\bsandbox\b/);
  if (header('content-type') === 'application/octet-stream') {
    expect(header('content-disposition')).toMatch(/^attachment; filename=[A-F0-9]{6}-\d\.(jpg|png|gif)$/);
    return;
  }
  expect(PICTURES).toContain(header('content-type'));
  expect(bytes.includes(MARK) || bytes.includes('<script') || bytes.equals(sent)).toBe(false);
  const { exif, xmp, iptc, icc, width, height } = await sharp(bytes).metadata();
  expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined]);
  expect(icc?.length ?? 0).toBeLessThan(10_000);
  expect(width * height).toBeLessThanOrEqual(24_000_000);
}
