"""A client of a running Patchbay relay: sessions, shells, commands, output and events.

One file, Python 3.9 and later, standard library only:

    from patchbay import Patchbay

    patchbay = Patchbay()                       # SERVICE_URL, SERVICE_TOKEN and SERVICE_SESSION
    shell = patchbay.create_shell()
    result = shell.run("make")
    print(result.exit_code, result.output)
    for event in patchbay.events(types=["shell.exited"]):
        print(event["type"], event["data"])
"""

from __future__ import annotations

import http.client
import json
import os
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union
from urllib.parse import quote, urlencode, urlsplit

__all__ = ["Patchbay", "Refused", "RelayUnreachable", "RunResult", "Shell"]
__version__ = "0.1.0"

Params = Dict[str, Any]

#: The relay answers within its own deadline; after this many seconds more it counts as unreachable.
_GRACE_S = 15.0
#: The relay sends a heartbeat in a stream every 15 seconds.
_STREAM_SILENCE_S = 60.0
_MAX_LINE_BYTES = 16 * 1024 * 1024


class RelayUnreachable(Exception):
    """No relay answered: it does not run, has another address, or hangs."""


class Refused(Exception):
    """The relay refused a call. `code` is an error code of the API, such as `scope_forbids`."""

    def __init__(self, code: str, message: str, status: int) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


@dataclass(frozen=True)
class RunResult:
    """What a command line came to. `exit_code` is None where a signal ended it."""

    exit_code: Optional[int]
    output: str


class Patchbay:
    """A relay, and one of its sessions."""

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        session: Optional[str] = None,
        client: Optional[int] = None,
    ) -> None:
        """
        :param url: address of the relay; default: SERVICE_URL, else http://127.0.0.1:7717
        :param token: API key or a shell's token; default: SERVICE_TOKEN
        :param session: id or name; default: SERVICE_SESSION, else the only session of the key's owner
        :param client: id of the client that executes the commands; default: the relay's choice
        """
        self._url = urlsplit((url or os.environ.get("SERVICE_URL") or "http://127.0.0.1:7717").rstrip("/"))
        if self._url.scheme not in ("http", "https") or not self._url.hostname:
            raise ValueError(f"url: expected an address such as http://127.0.0.1:7717, got {self._url.geturl()!r}")
        self._token = token or os.environ.get("SERVICE_TOKEN") or ""
        if not self._token.isascii() or not self._token.isprintable() or " " in self._token or self._token == "":
            raise ValueError("token: expected an API key, in the argument or in SERVICE_TOKEN")
        self._wanted = session or os.environ.get("SERVICE_SESSION") or None
        self._session: Optional[str] = None
        self._client = client

    def call(self, method: str, params: Optional[Params] = None, timeout: float = 60.0) -> Any:
        """Calls a command of the API, and returns its result.

        :param timeout: seconds that the command may take, as its own parameter `timeout` says
        :raises Refused: with the relay's error code
        """
        body: Params = {"method": method, "params": params or {}}
        if self._client is not None:
            body["target_client_id"] = self._client
        return self.request("POST", f"sessions/{self.session}/remote/command", body, timeout)["result"]

    def request(self, method: str, path: str, body: Optional[Params] = None, timeout: float = 60.0) -> Any:
        """Sends a request below /v1/, such as `GET sessions`, and returns the answer's JSON."""
        connection, response = self._send(method, path, body, timeout + _GRACE_S)
        try:
            return json.loads(response.read().decode("utf-8"))
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from error
        except ValueError as error:
            raise RelayUnreachable(f"What answers at {self._url.netloc} is not a Patchbay relay.") from error
        finally:
            connection.close()

    @property
    def session(self) -> str:
        """Id of the session."""
        if self._session is None:
            sessions: List[Dict[str, Any]] = self.request("GET", "sessions")["result"]
            fitting = [one["id"] for one in sessions if self._wanted in (None, one["id"], one["name"])]
            if len(fitting) != 1:
                names = ", ".join(str(one["name"]) for one in sessions)
                raise Refused("unknown_session", f"Expected one session, name one of: {names}", 404)
            self._session = str(fitting[0])
        return self._session

    def create_shell(self, **params: Any) -> "Shell":
        """Creates a shell, in a tile unless `tile=False`; the parameters are those of `createShell`."""
        made = self.call("createShell", params)
        return Shell(self, int(made["shellId"]), made.get("key"))

    def shell(self, shell_id: int) -> "Shell":
        """Returns a shell that exists already."""
        return Shell(self, shell_id)

    def events(
        self, types: Optional[Sequence[str]] = None, follow: bool = True, last_event_id: Optional[str] = None
    ) -> Iterator[Dict[str, Any]]:
        """Yields the session's events. Each has its `id`, which resumes after it as `last_event_id`."""
        query: Dict[str, str] = {}
        if types is not None:
            query["types"] = ",".join(types)
        if not follow:
            query["follow"] = "false"
        headers = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
        yield from self._stream(f"sessions/{self.session}/events?{urlencode(query)}", headers)

    def _stream(self, path: str, headers: Dict[str, str]) -> Iterator[Dict[str, Any]]:
        headers = {"Accept": "text/event-stream", **headers}
        connection, response = self._send("GET", path, None, _STREAM_SILENCE_S, headers)
        last_id = ""
        data: List[str] = []
        try:
            while True:
                raw = response.readline(_MAX_LINE_BYTES)
                if raw == b"":
                    return
                line = raw.decode("utf-8").rstrip("\r\n")
                if line.startswith("id:"):
                    last_id = line[3:].strip()
                elif line.startswith("data:"):
                    data.append(line[5:].lstrip(" "))
                elif line == "" and data:
                    event = json.loads("\n".join(data))
                    data = []
                    if event.get("type") == "closed":
                        raise Refused(event["data"]["code"], event["data"]["reason"], 401)
                    yield {**event, "id": last_id}
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from error
        finally:
            response.close()
            connection.close()

    def _send(
        self, method: str, path: str, body: Optional[Params], silence: float, more: Optional[Dict[str, str]] = None
    ) -> "tuple[http.client.HTTPConnection, http.client.HTTPResponse]":
        kind = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
        connection = kind(str(self._url.hostname), self._url.port, timeout=silence)
        headers = {"X-Service-Token": self._token, **(more or {})}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, f"{self._url.path}/v1/{path}", text, headers)
            response = connection.getresponse()
            if 200 <= response.status < 300:
                return connection, response
            message = response.read(4000).decode("utf-8", "replace").strip()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise self._unreachable(error) from error
        connection.close()
        raise Refused(response.getheader("X-Service-Error") or "internal", message, response.status)

    def _unreachable(self, error: Exception) -> RelayUnreachable:
        return RelayUnreachable(f"No relay answers at {self._url.scheme}://{self._url.netloc} ({error}).")


class Shell:
    """A shell of the session."""

    def __init__(self, patchbay: Patchbay, shell_id: int, tile: Optional[int] = None) -> None:
        self.id = shell_id
        self._patchbay = patchbay
        self._tile = tile

    def run(self, command: str, timeout: float = 60.0) -> RunResult:
        """Runs a command line, and waits until it has ended. Needs bash, zsh or fish, and a tile that shows the shell.

        :param timeout: seconds to wait at most, up to 3600
        """
        params = {"tile": self._find_tile(), "command": command, "wait": True, "timeout": timeout}
        result = self._patchbay.call("runCommand", params, timeout)
        return RunResult(result.get("exitCode"), result.get("output", ""))

    def write(self, text: str) -> None:
        """Types text into the shell."""
        self._patchbay.call("writeToShell", {"id": self.id, "data": text})

    def press(self, *keys: str) -> None:
        """Presses keys, such as `C-c` and `Enter`."""
        self._patchbay.call("sendKeys", {"id": self.id, "keys": list(keys)})

    def wait_for(self, timeout: float = 60.0, **condition: Any) -> Dict[str, Any]:
        """Waits for a text in the output (`text`), silence (`idle`, milliseconds) or the end (`exit=True`)."""
        params = {**condition, "id": self.id, "timeout": timeout}
        result: Dict[str, Any] = self._patchbay.call("waitFor", params, timeout)
        return result

    def output(self, since: Optional[int] = None, plain: bool = False) -> Iterator[Dict[str, Any]]:
        """Yields what the shell prints, until it ends. The last event is `end`."""
        query: Dict[str, Union[int, str]] = {}
        if since is not None:
            query["since"] = since
        if plain:
            query["plain"] = "true"
        path = f"sessions/{quote(self._patchbay.session)}/shells/{self.id}/output?{urlencode(query)}"
        for event in self._patchbay._stream(path, {}):
            yield event
            if event.get("type") == "end":
                return

    def close(self) -> None:
        """Ends the shell."""
        self._patchbay.call("closeShell", {"id": self.id})

    def _find_tile(self) -> int:
        if self._tile is None:
            tiles: List[Dict[str, Any]] = self._patchbay.call("getTiles", {"all": True})
            found = [tile["key"] for tile in tiles if tile["type"] == "shell" and tile["id"] == self.id]
            if not found:
                raise Refused("invalid_request", f"Shell {self.id} is in no tile, so no command can be run in it.", 400)
            self._tile = int(found[0])
        return self._tile
