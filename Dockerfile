# The search server in a small image.
#
#   docker build --tag hypatia .
#   docker run --rm --publish 8080:8080 hypatia                                 the demo
#   docker run --rm --volume "$PWD:/data" hypatia index notes/                  index your files
#   docker run --rm --publish 8080:8080 --volume "$PWD:/data" hypatia serve     search them

FROM rust:1.95-slim-bookworm AS build
WORKDIR /build
COPY . .
# Tests, benchmarks and debug information are not needed; `dist` is the profile for programs that are shipped.
RUN cargo build --locked --profile dist --package hypatia-cli \
    && install -D --strip target/dist/hypatia /out/hypatia

FROM debian:bookworm-slim
# Certificates, the newest there are, for language models behind https.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin hypatia \
    && install --directory --owner=hypatia --group=hypatia /data
COPY --from=build /out/hypatia /usr/local/bin/hypatia
COPY LICENSE-MIT LICENSE-APACHE crates/web/assets/hypatia-math.LICENSE /usr/share/doc/hypatia/

USER 10001
WORKDIR /data
# The host reaches only the ports that it publishes.
ENV HYPATIA_HOST=0.0.0.0 HYPATIA_PORT=8080
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$HYPATIA_PORT && printf 'GET /healthz HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r answer <&3 && [[ $answer == *' 200 '* ]]"]
ENTRYPOINT ["hypatia"]
CMD ["demo"]
