import { findRedisBinary } from '../../libs/embedded/dist/index.js';
import { say } from './steps.mjs';

await findRedisBinary(say);
