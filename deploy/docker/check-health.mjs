// The health check of every plane's image: exits 0 when the plane in this container is ready.
// node deploy/docker/check-health.mjs <variable that names its port> <port when that is not set>
const [name, fallback] = process.argv.slice(2);
const port = process.env[name] || fallback;
// Where HOST says that the plane listens at one address only, it is asked there.
const host = [undefined, '', '0.0.0.0', '::'].includes(process.env.HOST) ? '127.0.0.1' : process.env.HOST;
const answer = await fetch(`http://${host}:${port}/readyz`, { signal: AbortSignal.timeout(2_500) }).catch(
  (error) => ({ ok: false, text: () => String(error.cause ?? error) }),
);
process.stdout.write(`${await answer.text()}\n`);
process.exit(answer.ok ? 0 : 1);
