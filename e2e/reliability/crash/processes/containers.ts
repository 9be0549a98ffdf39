/** Loaded only where containers are wanted: it looks for their engine. */
export { startKafka, type TestKafka } from '@arboleda/chassis/testing/containers/kafka.ts';
export { startMinio, type TestMinio } from '@arboleda/chassis/testing/containers/minio.ts';
export { startMongo, type TestMongo } from '@arboleda/chassis/testing/containers/mongodb.ts';
