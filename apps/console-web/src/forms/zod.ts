import * as z from 'zod/mini';

// It would compile schemas to functions, and try first whether it may: the page's policy forbids that, which the browser reports.
z.config({ jitless: true });

export * from 'zod/mini';
