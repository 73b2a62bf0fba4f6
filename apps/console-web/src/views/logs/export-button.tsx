import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useMessages } from '../../messages/use-messages.js';
import { type LogSearch, toLogQuery } from './log-search.js';

/** Downloads the calls that the filters leave. */
export function ExportButton({ filters }: { readonly filters: LogSearch }) {
  const { logs: messages } = useMessages();
  const download = useMutation({
    mutationFn: async () => {
      const { sort: _order, ...query } = toLogQuery(filters);
      save(await api.getFile('/api/v1/logs.csv', { query }));
    },
  });
  return (
    <div className="flex flex-col items-end gap-2">
      <Button disabled={download.isPending} onClick={() => download.mutate()}>
        {messages.export}
      </Button>
      {download.error && <ErrorNotice error={download.error} />}
    </div>
  );
}

function save(file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = 'logs.csv';
  link.click();
  URL.revokeObjectURL(url);
}
