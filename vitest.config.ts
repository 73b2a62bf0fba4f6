import { defineConfig } from 'vitest/config';

const conditions = ['@mg/source', 'module', 'node', 'development|production'];
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
};

/** Three kinds of test, told apart by the file's ending: unit (.spec.ts, no I/O), integration (.itest.ts, real Postgres and Redis), e2e (.e2e.ts, running planes). */
export default defineConfig({
  test: {
    projects: [
      {
        ...shared,
        // Specs that cut streams at every byte take seconds of their own on a busy machine.
        test: { name: 'unit', include: ['**/*.spec.ts'], environment: 'node', testTimeout: 30_000 },
      },
      {
        ...shared,
        test: {
          name: 'integration',
          include: ['**/*.itest.ts'],
          // Each file waits for its servers for most of the time.
          environment: 'node',
          testTimeout: 30_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        ...shared,
        test: {
          name: 'e2e',
          include: ['**/*.e2e.ts'],
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
