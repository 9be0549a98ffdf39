import { GenericContainer, Wait } from 'testcontainers';

const IMAGE = 'postgres:18';
const PORT = 5432;
const PASSWORD = 'arboleda';

/** A PostgreSQL in a container that forgets everything. */
export interface TestPostgresContainer {
  url: string;
  stop(): Promise<void>;
}

/** @throws when no container engine answers. */
export async function startPostgresContainer(): Promise<TestPostgresContainer> {
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts(PORT)
    .withEnvironment({ POSTGRES_PASSWORD: PASSWORD })
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'max_connections=300'])
    // It starts once to make the database, ends, and starts for good.
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start();
  return {
    url: `postgres://postgres:${PASSWORD}@${container.getHost()}:${container.getMappedPort(PORT)}/postgres`,
    stop: async () => void (await container.stop()),
  };
}
