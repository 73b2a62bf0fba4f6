export * from './start-video-plane.js';
export * from './task-queue.js';
