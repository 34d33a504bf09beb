// Open loop: swaps at a fixed rate over many tables, whatever the answers do; latency from the planned moment of sending
// to the verdict. node open.mjs PORTS TABLES MOVES_PER_SECOND SECONDS; one line of JSON. Needs nothing but Node.
import { randomUUID } from 'node:crypto';

const [ports, tables, rate, seconds] = [process.argv[2].split(',').map(Number), ...process.argv.slice(3).map(Number)];
const rules = { prepare_seconds: 600, round_seconds: 3600, swap_wait_seconds: 0 };
const seats = [];
const latencies = [];
const refused = {};
const slowest = new Map(); // table -> its longest latency
let unanswered = 0;

async function call(port, method, path, token, body) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function command(port, seat, body) {
  const verdict = await call(port, 'POST', `/tables/${seat.table}/commands`, seat.token, { id: randomUUID(), command: body });
  if (!verdict.accepted) throw new Error(JSON.stringify(verdict));
}

async function lay(number) {
  const port = ports[number % ports.length];
  const people = await Promise.all([0, 1, 2, 3].map((p) => call(port, 'POST', '/players', null, { name: `p${p}` })));
  const { table_id: table } = await call(port, 'POST', '/tables', people[0].token, { game: 'quatro', seats: 4, rules });
  const mine = people.map(({ token }) => ({ table, token, hand: [], centre: [], sent: new Map() }));
  for (const [p, seat] of mine.entries()) if (p) await command(port, seat, { type: 'Sit', seat: p });
  await command(port, mine[0], { type: 'StartGame' });
  for (const seat of mine) await command(port, seat, { type: 'Ready' });
  for (const seat of mine) await open(port, seat);
  seats.push(...mine);
}

function open(port, seat) {
  return new Promise((resolve, reject) => {
    const socket = seat.socket = new WebSocket(`ws://127.0.0.1:${port}/api/tables/${seat.table}/live`, 'quartet.v1');
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', token: seat.token }));
    socket.onerror = reject;
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(data);
      if (frame.type === 'view') {
        if (frame.own) seat.hand = frame.own.hand;
        if (frame.public) seat.centre = frame.public.centre;
        resolve();
      } else if (frame.type === 'verdict') answered(seat, frame);
      else if (frame.type === 'unknown') unanswered += 1;
    };
  });
}

function answered(seat, frame) {
  const planned = seat.sent.get(frame.id);
  if (planned === undefined) return;
  seat.sent.delete(frame.id);
  const took = performance.now() - planned;
  latencies.push(took);
  slowest.set(seat.table, Math.max(took, slowest.get(seat.table) ?? 0));
  if (!frame.accepted) refused[frame.refused] = (refused[frame.refused] ?? 0) + 1;
}

function move(seat, planned) {
  const place = Math.floor(Math.random() * 4);
  const swap = { type: 'SwapCard', card: seat.hand[Math.floor(Math.random() * 4)], place, aimed_at: seat.centre[place] };
  const id = randomUUID();
  seat.sent.set(id, planned);
  seat.socket.send(JSON.stringify({ type: 'command', id, command: swap }));
}

for (let n = 0; n < tables; n += 8) {
  await Promise.all(Array.from({ length: Math.min(8, tables - n) }, (_, k) => lay(n + k)));
}
console.log(JSON.stringify({ ready: true }));
const began = performance.now();
let moved = 0;
await new Promise((resolve) => {
  const timer = setInterval(() => {
    const due = Math.min(rate * seconds, 1 + Math.floor((performance.now() - began) / 1000 * rate));
    for (; moved < due; moved += 1) move(seats[moved % seats.length], began + moved / rate * 1000);
    if (moved >= rate * seconds) { clearInterval(timer); resolve(); }
  }, 1);
});
await new Promise((resolve) => { setTimeout(resolve, 3000); });
const sorted = latencies.toSorted((a, b) => a - b);
const at = (p) => +(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? NaN).toFixed(2);
const pauses = [...slowest.values()].toSorted((a, b) => a - b);
console.log(JSON.stringify({
  moves: moved, answered: latencies.length, unanswered, refused, p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1),
  table_pause_median_ms: +pauses[Math.floor(pauses.length / 2)].toFixed(1), table_pause_max_ms: +pauses.at(-1).toFixed(1),
}));
process.exit(0);
