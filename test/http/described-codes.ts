// Holds every refusal that a test of this layer meets to the description of its endpoint: a code that the
// description does not name fails that test.

import { linesOf } from '../../dashboard/description/document';
import { openApi } from '../../dashboard/description/openapi';
import { answerTold } from './described';

const description = openApi();

const endpoints = linesOf(description).map(({ method, prefix, path, operation }) => {
  const pattern = path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
  return { method, operation, matches: new RegExp(`^(/api)?${prefix}${pattern}$`) };
});

/** Throws if the answer is a refusal that the description of its endpoint does not name. */
export async function expectDescribed(request: Request, response: Response): Promise<void> {
  if (response.status < 400) {
    return;
  }
  const { pathname } = new URL(request.url);
  const endpoint = endpoints.find(
    ({ method, matches }) => method === request.method && matches.test(pathname),
  );
  const { code } = await response
    .clone()
    .json<{ readonly code?: string }>()
    .catch(() => ({ code: undefined }));
  if (endpoint === undefined || code === undefined) {
    return;
  }
  const told = answerTold(description, endpoint.operation, response.status);
  if (told?.content?.['application/json']?.examples?.[code] === undefined) {
    throw new Error(
      `${endpoint.operation.operationId} answers ${code}, which its description does not name`,
    );
  }
}
