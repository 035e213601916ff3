"""Builds the OpenAPI document from the same endpoint rows as the router."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pagereel import __version__

from .endpoint import Endpoint, Parameter
from .roles import ROLES


def build_openapi_document(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document that describes all endpoints."""
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _build_endpoint_description(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {"title": "pagereel", "version": __version__, "description": "A library of recorded browser runs."},
        "paths": paths,
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _build_endpoint_description(endpoint: Endpoint) -> dict[str, Any]:
    parts = [part[1:-1] for part in endpoint.path.split("/") if part.startswith("{")]
    if endpoint.stream:
        media = "text/event-stream"
    elif endpoint.path.endswith(".png"):
        media = "image/png"
    else:
        media = "text/html" if endpoint.page or endpoint.path.endswith(".html") else "application/json"
    found: dict[str, Any] = {
        "summary": endpoint.told,
        "parameters": [
            *({"name": part, "in": "path", "required": True, "schema": {"type": "string"}} for part in parts),
            *(_describe_parameter(each) for each in endpoint.parameters),
        ],
        "responses": {
            "200": {"description": "As the summary says.", "content": {media: {}}},
            **_describe_refusals(endpoint),
        },
    }
    if endpoint.body:
        found["requestBody"] = {"required": True, "content": {"application/json": {}}}
        found["responses"] |= {
            "202": {"description": "A notification was taken."},
            "415": {"description": "It is no JSON."},
        }
    if endpoint.upload:
        found["requestBody"] = {"required": True, "content": {"application/octet-stream": {}}}
        found["responses"]["201"] = {"description": "Added.", "content": {media: {}}}
    if endpoint.roles:
        found["security"] = [{"token": []}]
        found["x-roles"] = [role for role in ROLES if role in endpoint.roles]
    if endpoint.audit:
        found["x-audit"] = endpoint.audit
    return found


def _describe_parameter(parameter: Parameter) -> dict[str, Any]:
    return {"name": parameter.name, "in": "query", "description": parameter.told, "schema": {"type": parameter.kind}}


def _describe_refusals(endpoint: Endpoint) -> dict[str, Any]:
    said = {"400": "What is asked cannot be read.", "403": "Another role, origin or host."}
    if endpoint.roles:
        said["401"] = "No token, or an unknown one."
    if "{id}" in endpoint.path:
        said["404"] = "There is no such run."
    if endpoint.upload:
        said |= {
            "409": "Another recording of this id is there.",
            "413": "The body is too large.",
            "422": "It is no recording that opens.",
        }
    return {status: {"description": told} for status, told in said.items()}
