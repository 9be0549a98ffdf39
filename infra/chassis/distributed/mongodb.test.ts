import { afterAll, beforeAll } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { type Mongo, openMongo } from '../adapters/mongodb/client.ts';
import { openMongoDocuments } from '../adapters/mongodb/documents/documents.ts';
import { openMongoJobs } from '../adapters/mongodb/jobs/jobs.ts';
import { documentsConformance, type Outlet } from '../conformance/documents.ts';
import { jobsConformance } from '../conformance/jobs.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { RetryPolicy } from '../retry.ts';
import { startMongo, type TestMongo } from '../testing/containers/mongodb.ts';

const logger = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });

let server: TestMongo;
beforeAll(async () => {
  server = await startMongo();
}, 120_000);
afterAll(() => server.stop());

/** Processes of one service, each with its own connections. */
function openEngine() {
  const service = `forest-${randomUUID().slice(0, 8)}`;
  const opened: { close(): Promise<void> }[] = [];
  const connect = (): Mongo => {
    const mongo = openMongo(server.url, logger);
    opened.push(mongo);
    return mongo;
  };
  return {
    service,
    mongo: connect,
    async documents(outlet: Outlet) {
      const documents = await openMongoDocuments({
        ...outlet,
        mongo: connect(),
        service,
        logger,
        graceMs: 200,
      });
      opened.push(documents);
      return documents;
    },
    async close() {
      for (const one of opened.reverse()) await one.close();
    },
  };
}

documentsConformance(async () => {
  const { documents, close } = openEngine();
  return { connect: documents, close };
});

const retries: RetryPolicy = { maxAttempts: 5, delaysMs: [20, 100], maxDelayMs: 200 };

jobsConformance(async () => {
  const opened: { close(): Promise<void> }[] = [];
  return {
    async connect() {
      const mongo = openMongo(server.url, logger);
      opened.push(mongo);
      const ofServices = new Map<string, Jobs>();
      return (service) => {
        const jobs = ofServices.get(service) ?? openMongoJobs({ mongo, service, retries, logger });
        if (!ofServices.has(service)) opened.push(jobs);
        ofServices.set(service, jobs);
        return jobs;
      };
    },
    async close() {
      for (const one of opened.reverse()) await one.close();
    },
  };
});
