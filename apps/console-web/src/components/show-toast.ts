import { Toast } from '@base-ui/react/toast';

/** What the frame of the views shows. */
export const toastManager = Toast.createToastManager();

/** Tells that something was done, for a few seconds; what failed is told where it was asked for. */
export function showToast(text: string): void {
  toastManager.add({ title: text });
}
