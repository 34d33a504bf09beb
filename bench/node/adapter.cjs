// How the closed loop of load.js plays Quatro at a running Quartet: four people a table, one swap each under way.
// A move is over when its verdict is there, which comes after the mover's own view.
const http = require('http'), { randomUUID } = require('crypto');
const rules = { prepare_seconds: 600, round_seconds: 3600, swap_wait_seconds: 0 };
module.exports = (port, WS, count) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  const call = (method, path, token, body) => new Promise((resolve, reject) => {
    const data = body ? JSON.stringify(body) : '';
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) };
    if (token) headers.authorization = `Bearer ${token}`;
    const request = http.request({ port, host: '127.0.0.1', path: `/api${path}`, method, agent, headers }, (answer) => {
      let text = '';
      answer.on('data', (part) => { text += part; });
      answer.on('end', () => (answer.statusCode < 300 ? resolve(JSON.parse(text)) : reject(new Error(`${path} ${answer.statusCode} ${text}`))));
    });
    request.on('error', reject);
    request.end(data);
  });
  const command = async (seat, body) => {
    const verdict = await call('POST', `/tables/${seat.table}/commands`, seat.token, { id: randomUUID(), command: body });
    if (!verdict.accepted) throw new Error(JSON.stringify(verdict));
  };
  return {
    async table() {
      const people = await Promise.all([0, 1, 2, 3].map((p) => call('POST', '/players', null, { name: `p${p}` })));
      const { table_id: table } = await call('POST', '/tables', people[0].token, { game: 'quatro', seats: 4, rules });
      const seats = people.map(({ token }, p) => ({ p, table, token, n: 0, hand: [], centre: [] }));
      for (const seat of seats.slice(1)) await command(seat, { type: 'Sit', seat: seat.p });
      await command(seats[0], { type: 'StartGame' });
      for (const seat of seats) await command(seat, { type: 'Ready' });
      return seats;
    },
    connect(seat, ack) {
      return new Promise((resolve, reject) => {
        const w = seat.w = new WS(`ws://127.0.0.1:${port}/api/tables/${seat.table}/live`, 'quartet.v1', { perMessageDeflate: false });
        w.on('error', reject);
        w.on('open', () => w.send(JSON.stringify({ type: 'hello', token: seat.token })));
        w.on('message', (bytes) => {
          count(bytes.length);
          const frame = JSON.parse(bytes);
          if (frame.type === 'view') {
            if (frame.own) seat.hand = frame.own.hand;
            if (frame.public) seat.centre = frame.public.centre;
            if (!seat.ready) { seat.ready = true; resolve(); }
          } else if (frame.type === 'verdict') ack();
          else if (frame.type === 'error') reject(new Error(JSON.stringify(frame)));
        });
      });
    },
    send(seat) {
      const place = Math.floor(Math.random() * 4), card = seat.hand[Math.floor(Math.random() * 4)];
      const command = { type: 'SwapCard', card, place, aimed_at: seat.centre[place] };
      seat.w.send(JSON.stringify({ type: 'command', id: randomUUID(), command }));
    },
  };
};
