import { useMutation } from '@tanstack/react-query';
import { useMessages } from '../messages/use-messages.js';
import { Button } from './button.js';
import { ErrorNotice } from './error-notice.js';
import { saveFile } from './save-file.js';

interface ExportButtonProps {
  /** What the file is called. */
  readonly name: string;
  readonly load: () => Promise<Blob>;
}

/** Downloads as CSV what the filters of a list leave. */
export function ExportButton({ name, load }: ExportButtonProps) {
  const { actions } = useMessages();
  const download = useMutation({ mutationFn: async () => saveFile(await load(), name) });
  return (
    <div className="flex flex-col items-end gap-2">
      <Button disabled={download.isPending} onClick={() => download.mutate()}>
        {actions.export}
      </Button>
      {download.error && <ErrorNotice error={download.error} />}
    </div>
  );
}
