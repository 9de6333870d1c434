# The GitHub App as one static program on an empty file system. docs/deploy.md says how it is run.
#
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg VERSION=v1.2.3 -t agent-lessons-app .
ARG GO_VERSION=1.26
FROM --platform=$BUILDPLATFORM docker.io/library/golang:${GO_VERSION} AS build
WORKDIR /src
COPY . .
# The last three are for builds behind a proxy, or without a network.
ARG TARGETOS TARGETARCH VERSION COMMIT DATE GOPROXY GOMODCACHE GOCACHE
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    mkdir -p /out/data && \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false \
      -ldflags "-s -w -X github.com/agent-corp/agent-lessons/internal/version.version=$VERSION -X github.com/agent-corp/agent-lessons/internal/version.commit=$COMMIT -X github.com/agent-corp/agent-lessons/internal/version.date=$DATE" \
      -o /out/agent-lessons-app ./cmd/agent-lessons-app

FROM scratch
ARG VERSION COMMIT DATE
LABEL org.opencontainers.image.title="agent-lessons-app" \
      org.opencontainers.image.description="A repository's short, trustworthy memory of what code review taught: the GitHub App." \
      org.opencontainers.image.source="https://github.com/agent-corp/agent-lessons" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$COMMIT" \
      org.opencontainers.image.created="$DATE"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/agent-lessons-app /agent-lessons-app
COPY --from=build --chown=65532:65532 /out/data /data
# Nothing but /data is ever written: the root file system may be read-only.
USER 65532:65532
WORKDIR /data
VOLUME /data
ENV AGENT_LESSONS_DATA=/data AGENT_LESSONS_LOG_FORMAT=json
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=6s --start-period=20s CMD ["/agent-lessons-app", "health"]
ENTRYPOINT ["/agent-lessons-app"]
CMD ["serve"]
