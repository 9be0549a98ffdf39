import { type EventLine } from '@arboleda/chassis/backup/events.ts';
import { linesOf, toFrame, withEnding } from '@arboleda/chassis/backup/format.ts';
import { waitedFor } from '@arboleda/chassis/backup/pause.ts';
import { type ServiceName, SERVICES, SQL_SERVICES } from '@arboleda/contracts/services.ts';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { completeFile } from '../../docker/env-file.ts';
import { type Compose, type Installation, openCompose } from '../compose.ts';
import { Fault } from '../terminal/command.ts';
import type { Restored } from './command.ts';
import {
  checkFiles,
  decompressed,
  type Manifest,
  openBackupFolder,
  readManifest,
  readPlain,
  recording,
} from './files.ts';
import { identityIn, withIdentity } from './identity.ts';
import { movingCertificatesOn, movingReceiptsOn, nextReceipt } from './numbers.ts';
import {
  IDENTITY,
  openLedger,
  readEvents,
  readPart,
  SANDBOX,
  SETTINGS,
  writeEvents,
  writePart,
} from './parts.ts';
import { openSession, type Session } from './session.ts';

const ENGINES = ['postgres', 'mongodb', 'kafka', 'minio'];

/** A container of its own, so that it works whether or not the service runs. kafka-setup alone may read all topics. */
const inContainer = (compose: Compose, service: string, ...args: string[]): Session =>
  nodeIn(compose, service, 'infra/chassis/backup/main.ts', ...args);
const nodeIn = (compose: Compose, service: string, ...script: string[]): Session =>
  openSession(compose, ['run', '--rm', '--no-deps', '--no-TTY', service, 'node', ...script]);
/** The sandbox's image has no packages. */
const inSandbox = (compose: Compose, action: 'copy' | 'restore'): Session =>
  nodeIn(compose, 'stripe-sandbox', 'infra/chassis/backup/files-main.ts', action, '/data');

/** All sessions of services. The first one makes the networks, which several at once would make several times. */
async function inEach(
  compose: Compose,
  action: 'copy' | 'restore',
  sessions: Map<ServiceName, Session>,
): Promise<void> {
  const [first, ...others] = SERVICES;
  const begin = (service: ServiceName) => {
    const session = inContainer(compose, service, 'service', action);
    sessions.set(service, session);
    return session.ask('begin');
  };
  await begin(first);
  await Promise.all(others.map(begin));
}

/**
 * Copies a running docker compose installation as it was at one moment: see moment.ts in infra/chassis/backup. Photo
 * documents and objects are copied after it, and belong to it.
 * @throws Fault, and leaves no backup then
 */
export async function backUpContainers(installation: Installation, folder: string): Promise<Manifest> {
  const compose = openCompose(installation);
  const to = await openBackupFolder(folder);
  if ((await compose.run(['ps', '--quiet', 'postgres'])).trim() === '')
    throw new Fault('There is nothing to back up: docker compose runs no containers here.');
  const services = new Map<ServiceName, Session>();
  const events = inContainer(compose, 'kafka-setup', 'events', 'copy');
  const settings = await settingsText(installation);
  try {
    await inEach(compose, 'copy', services);
    await waitedFor(() => events.ask('begin'));
    const madeAt = await waitedFor(() => momentOf([...services.values()], events));
    const ledger = openLedger();
    for (const [service, session] of services) await writePart(to, service, session.receive('copy'), ledger);
    await waitedFor(() => events.ask('later ends'));
    await writeEvents(to, parsed(linesOf(events.receive('copy'))), ledger);
    ledger.requireAgreement();
    if (usesSandbox(settings)) {
      const sandbox = inSandbox(compose, 'copy');
      await sandbox.ask('begin');
      await to.compress(SANDBOX, sandbox.receive('copy'));
    }
    await to.write(IDENTITY, JSON.stringify(identityIn(parseEnv(settings)), null, 1));
    if (settings !== '') await to.write(SETTINGS, settings);
    const { counts, migrations } = ledger;
    const about = { tier: 'docker compose', migrations, auditHeads: ledger.auditHeads(), counts } as const;
    const manifest = await to.finish(about, madeAt);
    await recordIn(compose, manifest, folder);
    return manifest;
  } finally {
    for (const session of [...services.values(), events]) session.close();
  }
}

/** A snapshot of every database, taken while nobody can decide anything. Then Kafka has all that was published by then. */
async function momentOf(services: readonly Session[], events: Session): Promise<Date> {
  const each = async (line: string) => {
    const asked = await Promise.allSettled(services.map((session) => session.ask(line)));
    const failed = asked.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  };
  try {
    await each('hold');
    await each('snapshot');
    const at = new Date();
    await events.ask('ends');
    await each('held');
    return at;
  } finally {
    await each('release');
  }
}

async function* parsed(lines: AsyncIterable<string>): AsyncGenerator<EventLine> {
  let isWhole = false;
  for await (const line of lines) {
    const one = JSON.parse(line) as EventLine;
    isWhole ||= 'end' in one;
    yield one;
  }
  if (!isWhole) throw new Fault('The backup is not whole, back up once more: Kafka ended in the middle.');
}

const settingsFile = ({ envFile }: Installation): string => envFile ?? '.env';

const settingsText = async (installation: Installation): Promise<string> =>
  existsSync(settingsFile(installation)) ? readFile(settingsFile(installation), 'utf8') : '';

const usesSandbox = (settings: string): boolean => !parseEnv(settings).STRIPE_SECRET_KEY;

const PSQL = [
  'exec',
  '--no-TTY',
  'postgres',
  'psql',
  '--username',
  'postgres',
  '--quiet',
  '--no-psqlrc',
  '--set',
  'ON_ERROR_STOP=1',
];

/** In every database, because each service tells the age of its own. */
async function recordIn(compose: Compose, manifest: Manifest, folder: string): Promise<void> {
  for (const service of SQL_SERVICES)
    if (manifest.migrations[service])
      await compose.run([...PSQL, '--dbname', service], recording(manifest, folder));
}

/** Moves numbers on that donors may hold. @returns the next receipt number */
async function moveNumbersOn(compose: Compose, manifest: Manifest): Promise<string> {
  const [madeAt, now] = [new Date(manifest.madeAt), new Date()];
  const psql = [...PSQL, '--tuples-only', '--no-align', '--dbname', 'orders'];
  const lines = (await compose.run(psql, movingReceiptsOn(madeAt, now))).split('\n').filter(Boolean);
  await compose.run(psql, movingCertificatesOn(madeAt, now));
  const rows = lines.map((line) => line.split('|').map(Number) as [number, number]);
  return nextReceipt(
    rows.map(([year, last]) => ({ year, last })),
    now,
  );
}

/**
 * Restores a backup of either tier into an installation that is empty, and compares what the engines hold with it.
 * Afterwards engines run, and services do not.
 * @param options.isMoved nothing happened after the backup, so that receipt numbers go on where they were
 * @throws Fault
 */
export async function restoreContainers(
  installation: Installation,
  folder: string,
  { isMoved = false }: { isMoved?: boolean } = {},
): Promise<Restored> {
  const manifest = await readManifest(folder);
  await checkFiles(folder, manifest);
  await requireStopped(openCompose(installation));
  const former = await settingsText(installation);
  const settings = await settingsFor(folder, manifest, former);
  await writeSettings(settingsFile(installation), settings);
  const compose = openCompose(installation);
  await compose.run(['up', '--detach', '--wait', ...ENGINES]);
  await compose.run(['up', ...ENGINES.map((name) => `${name}-setup`)]);
  const services = new Map<ServiceName, Session>();
  const events = inContainer(compose, 'kafka-setup', 'events', 'restore');
  try {
    await Promise.all([inEach(compose, 'restore', services), events.ask('begin')]).catch(
      async (error: Error) => {
        await writeSettings(settingsFile(installation), former);
        throw new Fault(`${error.message} docker compose down --volumes deletes what is there.`);
      },
    );
    const ledger = openLedger();
    for (const [service, session] of services) {
      const frames = readPart(folder, service, ledger);
      await session.send('restore', withEnding(framed(frames)));
    }
    await events.send('restore', eventLines(folder, ledger));
    ledger.requireAgreement();
    if (manifest.files.some(({ path }) => path === SANDBOX) && usesSandbox(settings)) {
      const sandbox = inSandbox(compose, 'restore');
      await sandbox.ask('begin');
      await sandbox.send('restore', decompressed(folder, SANDBOX));
    }
    const next = isMoved ? undefined : await moveNumbersOn(compose, manifest);
    await recordIn(compose, manifest, folder);
    return { manifest, nextReceipt: next };
  } finally {
    for (const session of [...services.values(), events]) session.close();
  }
}

async function* framed(frames: ReturnType<typeof readPart>) {
  for await (const { header, bytes } of frames) yield toFrame(header, bytes);
}

async function* eventLines(folder: string, ledger: ReturnType<typeof openLedger>) {
  let end = 0;
  for await (const line of readEvents(folder, ledger)) {
    end++;
    yield Buffer.from(`${JSON.stringify(line)}\n`);
  }
  yield Buffer.from(`${JSON.stringify({ end })}\n`);
}

/** Settings that are there stay, but for the values that belong to what is restored. */
async function settingsFor(folder: string, manifest: Manifest, former: string): Promise<string> {
  const identity = JSON.parse((await readPlain(folder, IDENTITY)).toString()) as Record<string, string>;
  const ofBackup = manifest.files.some(({ path }) => path === SETTINGS)
    ? (await readPlain(folder, SETTINGS)).toString()
    : '';
  return completeFile(withIdentity(former || ofBackup, identity), {}).text;
}

/** @param text none: there was no file */
async function writeSettings(file: string, text: string): Promise<void> {
  if (text === '') return rm(file, { force: true });
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** A running service would write, and publish events. */
async function requireStopped(compose: Compose): Promise<void> {
  const running = await compose.run(['ps', '--services', '--status', 'running']).catch(() => '');
  const others = running.split('\n').filter((name) => name !== '' && !ENGINES.includes(name));
  if (others.length > 0)
    throw new Fault(
      `A backup is restored into an empty installation, and this one runs (${others.join(', ')}): docker compose down.`,
    );
}
