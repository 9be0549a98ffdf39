import { describe, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BOOTSTRAP = join(import.meta.dirname, '..', 'bootstrap.js');

/** Runs a command as npm does. */
const run = (command: string, env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [BOOTSTRAP, command], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });

describe('a command that cannot begin', () => {
  test('says so in one sentence when there is no such command', () => {
    const { status, stderr } = run('plant');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^There is no command "plant"\. There are: start, dev, test, [\w:, -]+\.\n$/);
  });

  test('says so in one sentence when the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const dir = mkdtempSync(join(tmpdir(), 'arboleda-boot-'));
    const child = spawn(process.execPath, [BOOTSTRAP, 'start'], {
      env: { ...process.env, NODE_OPTIONS: '', PORT: String(port), DATA_DIR: join(dir, 'data') },
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
    const [code] = (await once(child, 'close')) as [number];
    server.close();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Port ${port} is in use. Stop what uses it, or choose another one: PORT=${port + 1} npm start\n`,
    );
    expect(existsSync(join(dir, 'data'))).toBe(false);
    rmSync(dir, { recursive: true });
  });

  test('says so in one sentence when the data folder is somebody else’s', () => {
    const dir = mkdtempSync(join(tmpdir(), 'arboleda-boot-'));
    writeFileSync(join(dir, 'thesis.txt'), 'years of work');
    const { status, stderr } = run('start', { PORT: '0', DATA_DIR: dir });
    expect(status).toBe(1);
    expect(stderr).toBe(`${dir} holds other files. Choose an empty folder: DATA_DIR=… npm start\n`);
    rmSync(dir, { recursive: true });
  });
});

test('reset has nothing to do where nothing is', () => {
  const { status, stdout } = run('reset', { DATA_DIR: '/nonexistent/arboleda' });
  expect(status).toBe(0);
  expect(stdout).toBe('There is nothing at /nonexistent/arboleda.\n');
});
