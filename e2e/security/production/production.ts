import type { Environment } from '@arboleda/chassis/environment.ts';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkProduction } from '@arboleda/cli/embedded/environment.ts';
import type { Report, Topic } from '../frame/topic.ts';
import { READ } from './read.ts';
import { PROCESSES, type ProcessName, soundEnvironment, WEAK, type Weak } from './weak.ts';

type Sound = Record<ProcessName, Environment>;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** No process starts in production with a setting that is weak: every one of them by each process that reads it. */
export const production: Topic = {
  name: 'production',
  async run(_stage, report) {
    const sound = Object.fromEntries(PROCESSES.map((name) => [name, soundEnvironment(name)])) as Sound;
    for (const name of PROCESSES) {
      const refusal = refusalOf(name, sound[name]);
      report.check(`${name} starts with sound settings`, refusal === undefined, refusal);
    }
    for (const weak of WEAK) for (const name of weak.of) isRefused(report, name, weak, sound[name]);
    const same = { ...sound.auth, AUTH_SECOND_FACTOR_KEY: sound.auth.QUOTE_SECRET };
    const refusal = refusalOf('auth', same) ?? '';
    report.check('two secrets may not be the same', /AUTH_SECOND_FACTOR_KEY/.test(refusal), refusal);
    embedded(report, sound.gateway);
    await realProcesses(report, sound);
  },
};

function isRefused({ check }: Report, process: ProcessName, weak: Weak, sound: Environment): void {
  const refusal = refusalOf(process, { ...sound, [weak.name]: weak.value });
  const what = `${process}: ${weak.name} ${weak.how}`;
  check(
    `${what} is refused by name`,
    refusal?.split('\n').some((line) => line.startsWith(`${weak.name}: `)) === true,
    refusal,
  );
  // A word such as "password" stands in sentences too.
  const isTelling =
    weak.value !== undefined && weak.value.length > 12 && refusal?.includes(weak.value) === true;
  check(`${what} is not printed`, !isTelling, refusal);
}

function refusalOf(process: ProcessName, env: Environment): string | undefined {
  try {
    READ[process](env);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** `npm start` in production makes nothing up. */
function embedded({ check }: Report, sound: Environment): void {
  const attempt = (env: Environment) => {
    try {
      checkProduction(env);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  check('npm start goes on with sound settings', attempt(sound) === undefined, attempt(sound));
  const real = {
    'a live key': { STRIPE_SECRET_KEY: sound.STRIPE_SECRET_KEY },
    'a public site': { SITE_URL: sound.SITE_URL },
    'an open port': { HOST: '0.0.0.0' },
  };
  for (const [what, env] of Object.entries(real))
    check(`npm start makes nothing up beside ${what}`, attempt(env)?.includes('BANK_ACCOUNTS') === true);
  for (const name of ['STRIPE_SECRET_KEY', 'SMTP_URL', 'SITE_URL', 'BANK_ACCOUNTS']) {
    check(`npm start makes up no ${name}`, attempt({ ...sound, [name]: undefined })?.includes(name) === true);
  }
}

/** A refused setting ends the process with a sentence, a non-zero status, and without the value. */
async function realProcesses({ check }: Report, sound: Sound): Promise<void> {
  const guessable = 'change-me-before-the-first-start-please';
  const outcomes = await Promise.all(
    (['auth', 'payments', 'gateway'] as const).map(async (name) => {
      const folder = name === 'gateway' ? name : `services/${name}`;
      const weak = name === 'gateway' ? { SITE_URL: 'http://trees.example' } : { SERVICE_KEY: guessable };
      return { name, weak, ...(await start(`${folder}/main.ts`, { ...sound[name], ...weak })) };
    }),
  );
  for (const { name, weak, code, said } of outcomes) {
    const [variable] = Object.keys(weak);
    check(`the process of ${name} ends`, code !== 0, code);
    check(`the process of ${name} says why`, said.includes(`${variable}: `), said);
    check(
      `the process of ${name} prints no secret`,
      !said.includes(guessable) && !said.includes(sound[name].QUOTE_SECRET!),
    );
  }
}

const start = (main: string, env: Environment): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [main],
      { cwd: ROOT, env: { PATH: process.env.PATH, ...env }, timeout: 100_000 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, said: stdout + stderr }),
    );
  });
