import 'reflect-metadata';
import { keepCompiledCode, limitHeapGrowth, returnMemoryWhenIdle, runPlane } from '@mg/runtime';
import { startMonolith } from './start-monolith.js';

// `npm start` holds the other end of this channel: when it is gone, however it went, nobody is left to stop us.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
limitHeapGrowth();
keepCompiledCode();
returnMemoryWhenIdle();
await runPlane({ name: 'monolith', required: [], start: startMonolith });
