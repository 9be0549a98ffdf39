import { setTimeout as sleep } from 'node:timers/promises';
import { intentIdOf } from '../../../driver/driver.ts';
import type { Answered, Asked, Ended, Made, Phase, PhaseResult } from '../setup.ts';
import { anAddress, arrivals, type Crowd, openCrowd, picked, randomOf } from './crowd.ts';
import { listen, type Listening, openSender, type Send } from './http.ts';
import { ANYTIME, type Intent, keepLink, type Kind, kindsOf } from './kinds.ts';

const SEED = 20_261_122;
/** Polling interval until an order is visible. */
const LOOK_EVERY_MS = 40;
const VISIBLE_WITHIN_MS = 30_000;

interface Running extends PhaseResult {
  pending: Set<Promise<void>>;
}

/** Sends what people ask for when its time has come, whether or not those before were answered. */
function openGenerator() {
  const random = randomOf(SEED);
  const phases = new Map<string, Running>();
  let crowd!: Crowd;
  let send!: Send;
  let listening: Listening | undefined;

  async function pay(intent: Intent, { patient }: Phase, running: Running): Promise<void> {
    const id = intentIdOf(intent.client_secret);
    const { apiUrl, publishableKey } = crowd.stripe;
    const response = await fetch(`${apiUrl}/v1/payment_intents/${id}/confirm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishableKey}` },
      body: new URLSearchParams({ client_secret: intent.client_secret, payment_method: 'pm_card_visa' }),
    });
    if (!response.ok) throw new Error(`the provider answered ${response.status}`);
    await response.arrayBuffer();
    const paidAt = performance.now();
    crowd.told.paid.push(id);
    if (!patient) return;
    const path = `/api/track/${intent.orderToken}`;
    while (performance.now() - paidAt < VISIBLE_WITHIN_MS) {
      const { status } = await send({ method: 'GET', path }, anAddress(crowd));
      if (status === 200) {
        running.visibleMs.push(performance.now() - paidAt);
        return keepLink(crowd, intent.orderToken);
      }
      await sleep(LOOK_EVERY_MS);
    }
    running.visibleMs.push(Infinity);
  }

  async function make(kind: Kind, at: number, startedAt: number, running: Running): Promise<void> {
    const found = kind.visit(crowd);
    const { name, expected } = found ? kind : ANYTIME;
    const { heard, ...ask } = found ?? ANYTIME.visit(crowd)!;
    const reply = await send(ask, anAddress(crowd));
    const ms = performance.now() - startedAt - at;
    const { status, hasRetryAfter, failure } = reply;
    const made: Made = { kind: name, at, ms, status, hasRetryAfter, isExpected: expected.includes(status) };
    running.made.push(failure ? { ...made, failure } : made);
    heard?.(reply);
  }

  async function play(phase: Phase): Promise<void> {
    const running: Running = { made: [], visibleMs: [], cpuShare: 0, lateMs: [], pending: new Set() };
    phases.set(phase.name, running);
    const follow = (doing: Promise<void>) => {
      running.pending.add(doing);
      void doing.finally(() => running.pending.delete(doing));
    };
    const kinds = kindsOf((intent) => follow(pay(intent, phase, running).catch(unpaid)));
    const startedAt = performance.now();
    const unpaid = (error: Error) => {
      const at = performance.now() - startedAt;
      const lost = { ms: 0, status: 0, isExpected: false, hasRetryAfter: false, failure: error.message };
      running.made.push({ kind: 'card at the provider', at, ...lost });
    };
    const before = process.cpuUsage();
    for (const at of arrivals(phase.ratePerSecond, phase.seconds, random)) {
      const early = at - (performance.now() - startedAt);
      if (early > 1) await sleep(early);
      running.lateMs.push(Math.max(0, performance.now() - startedAt - at));
      follow(make(picked(kinds, random()), at, startedAt, running));
    }
    await sleep(Math.max(0, phase.seconds * 1000 - (performance.now() - startedAt)));
    const { user, system } = process.cpuUsage(before);
    running.cpuShare = (user + system) / 1000 / (performance.now() - startedAt);
  }

  async function result(name: string): Promise<PhaseResult> {
    const { pending, ...running } = phases.get(name)!;
    // Each may bring another one.
    while (pending.size > 0) await Promise.all(pending);
    phases.delete(name);
    return running;
  }

  return {
    async answer(asked: Asked): Promise<PhaseResult | Ended | undefined> {
      if (asked.do === 'open') {
        crowd = openCrowd(asked.order, random);
        send = openSender(asked.order.url);
      }
      if (asked.do === 'listen') listening = listen(crowd);
      if (asked.do === 'phase') await play(asked.phase);
      if (asked.do === 'result') return result(asked.name);
      if (asked.do === 'end') {
        const listened = (await listening?.stop()) ?? { messages: 0, refusals: [] };
        return { told: crowd.told, listened };
      }
      return undefined;
    },
  };
}

/** Runs the load in its own process, so that its cost can be separated from the product's. */
const generator = openGenerator();

process.on('message', ({ id, ...asked }: Asked & { id: number }) => {
  const reply = (answered: Answered) => process.send?.({ id, answered });
  generator.answer(asked).then(
    (value) => reply({ value }),
    (error: unknown) => reply({ failure: String((error as Error).stack ?? error) }),
  );
});
process.on('disconnect', () => process.exit(0));
