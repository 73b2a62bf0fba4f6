import { config } from 'zod/mini';

// zod would compile schemas to functions, and try first whether it may: the page's policy forbids that, which the browser
// reports. Imported by whatever schemas are made with, so that it holds before there is one.
config({ jitless: true });
