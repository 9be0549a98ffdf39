import type { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import type { Endpoints } from './endpoints/index.ts';

type In<T> = T extends z.ZodType ? (unknown extends z.input<T> ? undefined : z.input<T>) : undefined;
type Out<T> = T extends z.ZodType ? (unknown extends z.output<T> ? undefined : z.output<T>) : undefined;

type Call<E> =
  E extends Endpoint<infer P, infer Q, infer B, infer R>
    ? {
        params: In<P>;
        query: In<Q>;
        body: E extends { upload: object } ? FormData : In<B>;
        response: E extends { binary: string | readonly string[] }
          ? Blob
          : E extends { stream: infer Data }
            ? AsyncIterable<{ event: string; data: Out<Data> }>
            : Out<R>;
      }
    : never;

/**
 * Maps each endpoint to its types only, so no schema reaches the browser. `Api['GET /api/stats']['response']` is `{
 * treesPlanted: number }`.
 */
export type Api = { [Key in keyof Endpoints]: Call<Endpoints[Key]> };
export type ApiResponse<Key extends keyof Api> = Api[Key]['response'];
