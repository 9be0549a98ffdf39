import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { freePort } from '../free-port.ts';

const IMAGE = 'postgres:18';
const PORT = 5432;
const PASSWORD = 'arboleda';

/** A PostgreSQL that can be stopped and restarted under the same address. */
export interface TestPostgresContainer {
  url: string;
  /** Stops it gracefully; data is kept for the next start(). */
  halt(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @throws when no container engine answers */
export async function startPostgresContainer(): Promise<TestPostgresContainer> {
  const container = await new GenericContainer(IMAGE)
    // A fixed port, because Docker would choose another one at each start.
    .withExposedPorts({ container: PORT, host: await freePort() })
    .withEnvironment({ POSTGRES_PASSWORD: PASSWORD })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'max_connections=300'])
    // It starts once to create the database, stops, and starts again.
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start();
  const engine = (await getContainerRuntimeClient()).container.dockerode.getContainer(container.getId());
  return {
    url: `postgres://postgres:${PASSWORD}@${container.getHost()}:${container.getMappedPort(PORT)}/postgres`,
    halt: async () => void (await engine.stop()),
    start: async () => void (await engine.start()),
    stop: async () => void (await container.stop()),
  };
}
