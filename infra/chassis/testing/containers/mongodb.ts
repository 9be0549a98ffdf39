import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { freePort } from '../free-port.ts';
import { mongoImage } from './mongo-image.ts';

const PORT = 27_017;

/** A MongoDB that can be stopped and restarted under the same address. */
export interface TestMongo {
  url: string;
  /** Accepts connections without answering, until resume(). */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Stops it gracefully; data is kept for the next start(). */
  halt(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @throws when no container engine answers */
export async function startMongo(): Promise<TestMongo> {
  const container = await new GenericContainer(await mongoImage())
    // A fixed port, because Docker would choose another one at each start.
    .withExposedPorts({ container: PORT, host: await freePort() })
    .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/))
    .start();
  const engine = (await getContainerRuntimeClient()).container.dockerode.getContainer(container.getId());
  return {
    url: `mongodb://${container.getHost()}:${container.getMappedPort(PORT)}`,
    pause: async () => void (await engine.pause()),
    resume: async () => void (await engine.unpause()),
    halt: async () => void (await engine.stop()),
    start: async () => void (await engine.start()),
    stop: async () => void (await container.stop()),
  };
}
