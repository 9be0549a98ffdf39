import { waitFor } from '../../harness/wait.ts';
import { sideBySide } from '../frame/side-by-side.ts';
import type { Report, Topic } from '../frame/topic.ts';
import { type Door, doorsOf } from './doors.ts';
import { openMemory } from './memory.ts';
import { filePart, form, type Sent, tricks } from './multipart.ts';
import { CONTENT_TYPES, NAMES } from './names.ts';
import { type HostileFile, hostileFiles } from './pictures.ts';
import { looksSafe } from './served.ts';

/**
 * The whole product in one process, after whatever was thrown at it: what one decoder may take (280 MB), twice, and
 * what uploads of one request weigh.
 */
const MAX_GROWTH_MB = 700;

/** Concurrent uploads. */
const AT_ONCE = 4;

/** Files and forms that nobody sends in good faith, to every call that takes files. */
export const uploads: Topic = {
  name: 'uploads',
  async run(target, report) {
    const memory = openMemory(target.filled.product.pid);
    const before = memory?.look();
    const files = await hostileFiles();
    const [photo] = files.filter(({ must }) => must === 'shown') as [HostileFile];
    const doors = doorsOf(target);
    report.note(
      `${files.length} files, ${NAMES.length} names, ${CONTENT_TYPES.length} types, ${doors.length} calls`,
    );
    for (const door of doors) await attack(report, door, files, photo.bytes, target.short);
    if (memory && before) memoryHeld(report, before, memory.look());
    const alive = await fetch(`${target.filled.product.url}/readyz`);
    report.check('the product is ready after all that', alive.ok, alive.status);
  },
};

async function attack(
  report: Report,
  door: Door,
  files: readonly HostileFile[],
  photo: Buffer,
  short: boolean,
) {
  const forms = Object.entries(tricks(door.fields(), door.field, photo, door.most));
  const some = <T>(all: readonly T[]) => (short ? all.filter((_one, index) => index % 5 === 0) : all);
  // The two calls for photos read, look at and keep files by the same code.
  const isTwin = short && door.name === 'photos of a growth visit';
  const whole = Buffer.concat([photo, Buffer.alloc(door.maxBytes + 1 - photo.length)]);
  await sideBySide(
    [
      ...(isTwin ? some(some(files)) : files).map((file) => () => hostile(report, door, file)),
      () => tooLarge(report, door, whole),
      ...some(NAMES).map((name) => () => underName(report, door, photo, name)),
      ...some(CONTENT_TYPES).map((type) => () => underType(report, door, photo, type)),
      ...(isTwin ? some(forms) : forms).map(
        ([name, sent]) =>
          async () =>
            void (await answered(report, `${door.name}: ${name}`, door, sent)),
      ),
    ],
    AT_ONCE,
    (run) => run(),
  );
}

async function hostile(report: Report, door: Door, { name, bytes, must }: HostileFile): Promise<void> {
  const what = `${door.name}: ${name}`;
  const answer = await answered(report, what, door, form(...door.fields(), filePart(door.field, bytes)));
  const isTaken = answer.status < 300;
  if (must === 'refused') report.check(`${what} is refused`, !isTaken, answer);
  if (must === 'shown') report.check(`${what} is taken`, isTaken || isClosed(answer), answer);
  if (isTaken) await seen(report, what, door, bytes, answer.text);
  else if (!isClosed(answer)) namesTheFile(report, what, door, answer);
}

/** A visit that is not due takes no photos, whatever they are. */
const isClosed = ({ status }: { status: number }) => status === 409;

async function seen(report: Report, what: string, door: Door, bytes: Buffer, text: string): Promise<void> {
  const shown = await waitFor(`what was made of ${what}`, () => door.shown(text));
  for (const response of shown) await looksSafe(report, what, bytes, response);
}

function namesTheFile({ check }: Report, what: string, { field }: Door, { text }: { text: string }): void {
  const { errors = [] } = JSON.parse(text) as { errors?: { path: string }[] };
  check(
    `${what}: the answer names the file`,
    errors.some(({ path }) => path.startsWith(field)),
    text,
  );
}

/** Never a fault of ours, never a word of the inside: a problem, or what was asked for. */
async function answered({ check }: Report, what: string, door: Door, sent: Sent) {
  const answer = await door.send(sent).catch((error: Error) => ({ status: 0, text: String(error.cause) }));
  const { status, text } = answer;
  check(`${what} is answered`, (status >= 200 && status < 300) || (status >= 400 && status < 500), answer);
  check(`${what} is told nothing of the inside`, !/sharp|vips|busboy|node_modules|\n\s+at /.test(text), text);
  return answer;
}

async function tooLarge(report: Report, door: Door, bytes: Buffer): Promise<void> {
  const what = `${door.name}: a file one byte too large`;
  const answer = await answered(report, what, door, form(...door.fields(), filePart(door.field, bytes)));
  report.check(`${what} is refused`, answer.status === 413 || isClosed(answer), answer);
}

async function underName(report: Report, door: Door, photo: Buffer, name: string): Promise<void> {
  const what = `${door.name}: the name ${JSON.stringify(name.slice(0, 30))}`;
  const answer = await answered(
    report,
    what,
    door,
    form(...door.fields(), filePart(door.field, photo, name)),
  );
  const names = /"originalName":("(?:[^"\\]|\\.)*")/.exec(answer.text)?.[1];
  const told = names === undefined ? '' : (JSON.parse(names) as string);
  const isHarmless = !/[/\\\p{Cc}\u202e]/u.test(told) && [...told].length <= 200;
  report.check(`${what} is kept without what could do harm`, isHarmless, told);
}

async function underType(report: Report, door: Door, photo: Buffer, type: string): Promise<void> {
  const sent = form(...door.fields(), filePart(door.field, photo, 'photo.jpg', type));
  await answered(report, `${door.name}: the type ${type.slice(0, 30)}`, door, sent);
}

type Look = { nowMb: number; peakMb: number };

function memoryHeld({ check, note }: Report, before: Look, after: Look): void {
  const grownMb = after.peakMb - before.nowMb;
  note(
    `memory: ${before.nowMb.toFixed(0)} MB before, ${after.peakMb.toFixed(0)} MB at most, ${after.nowMb.toFixed(0)} MB after`,
  );
  check('memory stays bounded', grownMb < MAX_GROWTH_MB, `${grownMb.toFixed(0)} MB more`);
}
