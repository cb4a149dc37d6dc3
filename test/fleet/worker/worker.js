// Counts in an object, and shows what it was given.
import { DurableObject } from 'cloudflare:workers';

export class CounterObject extends DurableObject {
  count() {
    this.ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS calls (at INTEGER)');
    this.ctx.storage.sql.exec('INSERT INTO calls VALUES (0)');
    return this.ctx.storage.sql.exec('SELECT count(*) AS n FROM calls').one().n;
  }
}

export default {
  async fetch(request, env) {
    switch (new URL(request.url).pathname) {
      case '/health':
        return new Response('ok');
      case '/env':
        return Response.json({ ...env, COUNTERS: undefined });
      case '/say':
        console.log(await request.text());
        return new Response('said');
      case '/out':
        return fetch(await request.text());
      default:
        return new Response(await env.COUNTERS.getByName('one').count());
    }
  },
};
