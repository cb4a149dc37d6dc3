# Muster on a box as a container: `docker build -t muster .`, or see compose.yaml. Podman keeps HEALTHCHECK only with `--format docker`.
FROM node:24-bookworm-slim AS modules
WORKDIR /opt/muster
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM modules AS build
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-bookworm-slim
# workerd starts only where there are certificates to trust, and the slim image has none.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/muster
# What a box runs: the bundle, the programs around it, and what they import. The code is root's, so that nothing that runs in
# here can change it.
COPY --from=modules /opt/muster/node_modules node_modules
COPY LICENSE package.json wrangler.toml ./
COPY agent agent
COPY scripts scripts
COPY src/common src/common
COPY src/fleet src/fleet
COPY --from=build /opt/muster/dist dist
RUN mkdir /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 PORT=8787 MUSTER_DATA=/data
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Without npm in between, so that the service itself gets the signal to stop.
CMD ["node", "scripts/serve.ts"]
