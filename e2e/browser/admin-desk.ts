import { openClient } from '@arboleda/contracts/client.ts';
import { PHOTOS } from '@arboleda/local/demo/photos.ts';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { putAccount } from '../harness/accounts.ts';
import { openVisit } from '../harness/browser.ts';
import { type Language, textsOf } from '../harness/texts.ts';
import { logIn } from './people.ts';
import type { Stage } from './stage.ts';

export const PASSWORD = 'guadua-cedro-7310';

/** An admin of a test's own. */
export const putAdmin = (stage: Stage, email: string): Promise<void> =>
  putAccount(stage.product, {
    role: 'admin',
    name: 'Carolina Mesa',
    email,
    password: PASSWORD,
    emailVerified: true,
  });

export async function adminToken(stage: Stage, email: string): Promise<string> {
  const { token } = await openClient(stage.product.url)('POST /api/auth/admin/login', {
    body: { email, password: PASSWORD },
  });
  return token;
}

/** A bank transfer with two proofs, as the checkout announces it. */
export async function sendTransfer(stage: Stage, donor: { name: string; email: string }, language: Language) {
  const body = new FormData();
  const fields = {
    ...{ trees: '5', packageType: 'grove', currency: 'COP', paymentMethod: 'manual_bancolombia' },
    ...{ customerName: donor.name, customerEmail: donor.email, customerPhone: '+57 300 555 0188' },
    ...{ bankName: 'bancolombia', referenceNumber: donor.name.slice(0, 12), locale: language },
  };
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  for (const file of ['transfer-school.jpg', 'transfer-elsewhere.jpg'])
    body.append('evidenceFiles', new Blob([new Uint8Array(await readFile(new URL(file, PHOTOS)))]), file);
  return openClient(stage.product.url)('POST /api/manual-payments/create-order', { body });
}

/** An admin who is logged in, at one part of the dashboard, with a browser of their own. */
export async function atTheDesk(
  stage: Stage,
  who: { email: string; language: Language; width: number },
  view: string,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const { context, page, faults } = await openVisit(stage.browser, who);
  try {
    await page.goto(`${stage.product.url}/admin-dashboard?view=${view}`);
    await logIn(page, textsOf(who.language), 'email', who.email, PASSWORD);
    await act(page);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  } finally {
    await context.close();
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an authenticator app shows for a secret now (RFC 6238). */
export function codeOf(secret: string, nowMs = Date.now()): string {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const at = mac[19]! & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
