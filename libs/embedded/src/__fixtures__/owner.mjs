// A process that owns an embedded Postgres and Redis until it is killed. Reads the library's sources as they are.
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier.startsWith('.') && context.parentURL?.endsWith('.ts')
        ? specifier.replace(/\.js$/, '.ts')
        : specifier,
      context,
    ),
});
const { startEmbeddedPostgres, startEmbeddedRedis } = await import('../index.ts');
const directory = process.argv[2];
const postgres = await startEmbeddedPostgres({ directory: `${directory}/postgres` });
const redis = await startEmbeddedRedis({ directory: `${directory}/redis` });
process.send({ postgres: postgres.url, redis: redis.url });
setInterval(() => undefined, 60_000);
