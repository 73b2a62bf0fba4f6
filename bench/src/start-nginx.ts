import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findNginxBinary } from '@mg/embedded';

/**
 * Starts nginx as a proxy of one process: the least that passing a call on can cost.
 *
 * @throws Error where the machine has none and none can be downloaded.
 */
export async function startNginx({
  port,
  upstreamPort,
  directory,
}: {
  port: number;
  upstreamPort: number;
  directory: string;
}): Promise<ChildProcess> {
  const { command, env } = await findNginxBinary();
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'nginx.conf');
  await writeFile(file, writeConfiguration(port, upstreamPort, directory));
  return spawn(command, ['-p', directory, '-c', file, '-e', join(directory, 'error.log')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function writeConfiguration(port: number, upstreamPort: number, directory: string): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(directory, name)};`)
    .join(' ');
  return `
daemon off;
master_process off;
pid ${join(directory, 'nginx.pid')};
events { worker_connections 8192; }
http {
  access_log off;
  ${folders}
  client_max_body_size 20m;
  client_body_buffer_size 128k;
  keepalive_requests 1000000;
  upstream provider { server 127.0.0.1:${upstreamPort}; keepalive 1200; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://provider;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}
`;
}
