/** Queue of the video plane. Redis holds no facts about tasks, only the news that some are due: a lost job loses nothing. */
export const TASK_QUEUE = 'video-tasks';

/** Kind of job that says "look for due tasks now". */
export const WAKE = 'wake';
