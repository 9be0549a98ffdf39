import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { freePort } from '../free-port.ts';

const IMAGE = process.env.MINIO_IMAGE || 'pgsty/silo:latest';
const PORT = 9000;

/** A MinIO that can be paused and resumed under the same address. */
export interface TestMinio {
  endpoint: string;
  accessKey: string;
  secretKey: string;
  region: string;
  /** Accepts connections without answering, until resume(). */
  pause(): Promise<void>;
  resume(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** @throws when no container engine answers */
export async function startMinio(): Promise<TestMinio> {
  const accessKey = 'arboleda';
  const secretKey = 'arboleda-tests';
  const container = await new GenericContainer(IMAGE)
    // A fixed port, because Docker would choose another one at each start.
    .withExposedPorts({ container: PORT, host: await freePort() })
    .withEnvironment({ MINIO_ROOT_USER: accessKey, MINIO_ROOT_PASSWORD: secretKey })
    .withCommand(['server', '/data'])
    .withWaitStrategy(Wait.forHttp('/minio/health/ready', PORT))
    .start();
  const engine = (await getContainerRuntimeClient()).container.getById(container.getId());
  return {
    endpoint: `http://${container.getHost()}:${container.getMappedPort(PORT)}`,
    accessKey,
    secretKey,
    region: 'us-east-1',
    pause: () => engine.pause(),
    resume: () => engine.unpause(),
    restart: () => container.restart(),
    stop: async () => void (await container.stop()),
  };
}
