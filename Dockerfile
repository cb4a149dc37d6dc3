# Muster on a box as a container: `docker build -t muster .`, or see compose.yaml.
FROM node:24-bookworm-slim AS build
WORKDIR /opt/muster
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-bookworm-slim
WORKDIR /opt/muster
# With the bundle that was built: a start makes one only where a source is newer. The code is root's, so that nothing
# that runs in here can change it.
COPY --from=build /opt/muster /opt/muster
RUN mkdir /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 PORT=8787 MUSTER_DATA=/data
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Without npm in between, so that the service itself gets the signal to stop.
CMD ["node", "scripts/serve.ts"]
