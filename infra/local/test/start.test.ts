import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BOOTSTRAP = join(import.meta.dirname, '..', 'bootstrap.js');
const PATIENCE_MS = 150_000;

test(
  'npm start tells where everything is, fills the demo, and stops on Ctrl-C with its data kept',
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'arboleda-start-'));
    await chmod(dir, 0o755);
    const dataDir = join(dir, 'data');
    const child = spawn(process.execPath, [BOOTSTRAP, 'start'], {
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PORT: '0',
        DATA_DIR: dataDir,
        DEMO_PASSWORD: 'semilla-de-prueba-77',
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const ended = once(child, 'exit');
    try {
      const url = await waitFor(() => /Site +(http:\S+)/.exec(output)?.[1], PATIENCE_MS);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect(output).toMatch(/Inbox +http:/);
      await waitFor(() => /demo orders are there/.test(output), PATIENCE_MS);

      const login = await request(url, 'POST /api/auth/admin/login', {
        body: { email: 'admin@arboleda.test', password: 'semilla-de-prueba-77' },
      });
      await waitFor(async () => {
        const { body } = await request(url, 'GET /api/admin/orders/manage', { token: login.body.token });
        expect(body.counts).toEqual({ all: 7, pending: 1, assigned: 2, planted: 2, completed: 2 });
        return true;
      });
    } finally {
      child.kill('SIGINT');
    }
    expect(await ended).toEqual([0, null]);
    expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    await rm(dir, { recursive: true });
  },
  2 * PATIENCE_MS,
);
