import { existsSync, renameSync, rmSync } from 'node:fs';

/** Moves a finished directory to its name; when another process was first, its work is as good. */
export function renameUnlessThere(draft: string, path: string): void {
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(path)) throw error;
  }
}
