/**
 * Environment of every plane's process, as in deploy/docker/Dockerfile: neither V8's young generation nor malloc's arenas
 * grow into whatever memory the machine has, and buffers from 16 KB on go back to the system when they are freed: a few
 * that live longer would keep all others from going back. Left to itself, glibc raises that limit to the size of what was
 * freed last and keeps large buffers for later. What is larger than a huge page (2 MB) gets huge pages where the system gives
 * them to who asks: a body of 20 MB is ten of them, not 5,000 pages that are cleared and given back one by one.
 * https://www.gnu.org/software/libc/manual/html_node/Memory-Allocation-Tunables.html
 */
export const MEMORY_SETTINGS = Object.freeze({
  NODE_OPTIONS: '--max-semi-space-size=8',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '16384',
  MALLOC_TRIM_THRESHOLD_: '131072',
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
});

/**
 * What node runs the monolith with; NODE_OPTIONS does not accept it. V8 marks live objects beside the program in one thread, not in
 * four: while large bodies are converted it marks several times a second, and the event loop, which shares the machine with these
 * threads and with Postgres, waited for 60 to 140 ms on two processors.
 */
export const MONOLITH_OPTIONS = Object.freeze(['--concurrent-marking-max-worker-num=1']);
