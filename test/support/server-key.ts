/** The server key of project `dev` in tests within workerd; vitest.config.ts binds its digest. */
export const SERVER_KEY = 'the server key of the tests';
