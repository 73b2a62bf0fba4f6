import { useMutation } from '@tanstack/react-query';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { PriceImport } from '../../api/console-api.js';
import { Badge, type Tone } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Field } from '../../components/field.js';
import { FileInput } from '../../components/file-input.js';
import { Drawer, ModalFoot } from '../../components/modal.js';
import { Table } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import { ShortPrice } from './short-price.js';

const TONES: Readonly<Record<PriceImport['lines'][number]['change'], Tone>> = {
  new: 'good',
  changed: 'accent',
  unchanged: 'plain',
  unknown_model: 'warn',
};

/** Reads a file of prices, shows what it would change, and changes that when asked to. */
export function PriceImportDrawer({ onClose }: { readonly onClose: () => void }) {
  const { models: messages, actions } = useMessages();
  const refresh = useRefresh();
  const reading = useMutation({
    mutationFn: async (file: File) =>
      api.post('/api/v1/price-imports', {
        body: { content: await file.text(), format: readFormat(file.name), source: file.name },
      }),
  });
  const applying = useMutation({
    mutationFn: (id: string) => api.post('/api/v1/price-imports/{id}/apply', { path: { id } }),
    onSuccess: async () => {
      await refresh('/api/v1/models', '/api/v1/catalog');
      onClose();
    },
  });
  const error = reading.error ?? applying.error;
  const changes = (reading.data?.counts.new ?? 0) + (reading.data?.counts.changed ?? 0);
  return (
    <Drawer title={messages.importTitle} onClose={onClose}>
      <p className="text-muted">{messages.importText}</p>
      <Field label={messages.importFile}>
        <FileInput
          accept=".csv,.json,.yaml,.yml"
          chosen={reading.variables?.name}
          onChoose={(file) => reading.mutate(file)}
        />
      </Field>
      {error && <ErrorNotice error={error} />}
      {reading.data && (
        <>
          <ImportLines lines={reading.data.lines} />
          <ModalFoot>
            <Button onClick={onClose}>{actions.cancel}</Button>
            <Button
              kind="primary"
              disabled={changes === 0 || applying.isPending}
              onClick={() => applying.mutate(reading.data.id)}
            >
              {messages.importApply(changes)}
            </Button>
          </ModalFoot>
        </>
      )}
    </Drawer>
  );
}

/** The format of a file by its name's ending. */
function readFormat(name: string): 'csv' | 'json' | 'yaml' {
  if (/\.csv$/i.test(name)) return 'csv';
  return /\.json$/i.test(name) ? 'json' : 'yaml';
}

function ImportLines({ lines }: Pick<PriceImport, 'lines'>) {
  const { models: messages } = useMessages();
  return (
    <Table
      caption={messages.importTitle}
      rows={lines}
      keyOf={(line) => line.slug}
      columns={[
        {
          header: messages.slug,
          cell: ({ row: { original: line } }) => <code className="font-mono text-xs">{line.slug}</code>,
        },
        {
          header: messages.importChange,
          cell: ({ row: { original: line } }) => (
            <Badge tone={TONES[line.change]}>{messages.importChanges[line.change]}</Badge>
          ),
        },
        {
          header: messages.importBefore,
          meta: { hideOnPhones: true },
          cell: ({ row: { original: line } }) => line.before && <ShortPrice price={line.before} />,
        },
        {
          header: messages.importAfter,
          cell: ({ row: { original: line } }) => <ShortPrice price={line.after} />,
        },
      ]}
    />
  );
}
