# pagereel with a browser and the models of the redaction:
#
#     docker build -t pagereel . && docker run --rm -v "$PWD:/data" pagereel build trace.zip
#
# scripts/try_dockerfile.py runs its steps without Docker.
FROM python:3.13-slim

RUN apt-get update -q && apt-get install -y -q --no-install-recommends chromium fonts-liberation && rm -rf /var/lib/apt/lists/*
COPY . /src
RUN pip install --no-cache-dir "/src[redaction,pytest]" && rm -rf /src
RUN pagereel setup && pagereel doctor
RUN useradd --create-home reel && mkdir -p /data && chown reel /data

USER reel
WORKDIR /data
ENTRYPOINT ["pagereel"]
CMD ["--help"]
