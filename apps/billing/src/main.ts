import 'reflect-metadata';
import { startBillingPlane } from '@mg/plane-billing';
import { runPlane } from '@mg/runtime';

await runPlane({ name: 'billing', required: ['DATABASE_URL', 'REDIS_URL'], start: startBillingPlane });
