"""Sessions that speak Streamlit's websocket protocol without a browser.

A session opens a page and then uses its boxes, each by its key. It fetches no scripts, styles or
fonts, draws nothing, and caches no messages, so the server sends each message in full. It keeps the
values of number inputs and select boxes outside of forms; for other widgets the server uses their
defaults.
"""

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NumberInput_pb2 import NumberInput
from streamlit.proto.Selectbox_pb2 import Selectbox
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from pages.ui import state

PATIENCE = 60.0
"""Seconds to wait for a run of the script; a longer run is an error."""

FIRST = "inspect_query"
"""The page that a session opens, unless it is given another."""

BOXES = (state.K, state.MEASURE, state.QUERY)
"""The keys of the boxes that a session changes in turn, if the page shows them."""

REPLACED = ForwardMsg.ScriptFinishedStatus.Name(ForwardMsg.FINISHED_EARLY_FOR_RERUN)
"""The error of a run that another replaced."""

Box = NumberInput | Selectbox


@dataclass
class Session:
    """One open page: its address, its boxes and their values, and the errors so far."""

    socket: ClientConnection
    draw: random.Random
    address: str = ""
    first: str = FIRST
    page: str = ""
    pages: list[str] = field(default_factory=list)
    shown: dict[str, Box] = field(default_factory=dict)
    held: dict[str, WidgetState] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    turn: int = 0

    async def rerun(self) -> float:
        """Run the script with the values of the boxes, and return the seconds it took."""
        message = BackMsg()
        message.rerun_script.query_string = self.address
        message.rerun_script.page_script_hash = self.page
        if not self.page:
            message.rerun_script.page_name = self.first
        message.rerun_script.widget_states.widgets.extend(self.held.values())
        data = message.SerializeToString()
        start = time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            await self.socket.send(data)
            while not self._last(await self.socket.recv(decode=False)):
                pass
        return time.perf_counter() - start

    def change(self) -> None:
        """Change the value of the next box."""
        here = [key for key in BOXES if key in self.shown]
        if not here:
            raise SystemExit(f"The page has none of the boxes {', '.join(BOXES)}.")
        box = self.shown[here[self.turn % len(here)]]
        self.turn += 1
        now = self.held[box.id]
        if isinstance(box, NumberInput):
            cutoffs = [k for k in range(1, 21) if k != now.double_value]
            now.double_value = self.draw.choice(cutoffs)
        else:
            others = [option for option in box.options if option != now.string_value]
            now.string_value = self.draw.choice(others)

    def _last(self, data: bytes) -> bool:
        """Process a message, and return whether it is the last of a run."""
        message = ForwardMsg.FromString(data)
        match message.WhichOneof("type"):
            case "new_session":
                self.shown.clear()
            case "navigation":
                self.page = message.navigation.page_script_hash
                self.pages = [page.page_script_hash for page in message.navigation.app_pages]
            case "page_info_changed":
                self.address = message.page_info_changed.query_string
            case "page_not_found":
                self.errors["page not found"] += 1
            case "delta":
                self._take(message.delta.new_element)
            case "script_finished":
                return self._finished(message.script_finished)
        return False

    def _finished(self, status: int) -> bool:
        """Return whether the run has ended; one that is replaced by another is an error too."""
        if status != ForwardMsg.FINISHED_SUCCESSFULLY:
            self.errors[ForwardMsg.ScriptFinishedStatus.Name(status)] += 1
        here = {box.id for box in self.shown.values()}
        self.held = {name: value for name, value in self.held.items() if name in here}
        return status != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def _take(self, element: Element) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.errors[f"exception: {element.exception.type}"] += 1
        elif kind in ("number_input", "selectbox"):
            box: Box = getattr(element, kind)
            if not box.form_id:
                self.shown[_key(box)] = box
                if box.set_value or box.id not in self.held:
                    self.held[box.id] = _start(box)


def _key(box: Box) -> str:
    """Return the key of a box, with which its id ends."""
    return box.id.rpartition("-")[2]


def _start(box: Box) -> WidgetState:
    """Return the value of a box before it is used, or after the script has set it."""
    if isinstance(box, NumberInput):
        return WidgetState(id=box.id, double_value=box.value if box.set_value else box.default)
    value = box.raw_value if box.set_value else box.options[box.default]
    return WidgetState(id=box.id, string_value=value)


async def opened(port: int, draw: random.Random, address: str = "", first: str = FIRST) -> Session:
    """Connect a new session that has not run the script yet."""
    socket = await connect(
        f"ws://127.0.0.1:{port}/_stcore/stream",
        origin=Origin(f"http://127.0.0.1:{port}"),
        subprotocols=[Subprotocol("streamlit")],
        max_size=None,
        open_timeout=PATIENCE,
        ping_interval=None,
        proxy=None,
    )
    return Session(socket, draw, address, first, turn=draw.randrange(len(BOXES)))


async def walk(port: int) -> None:
    """Open each page once, then close the session."""
    session = await opened(port, random.Random(0))
    await session.rerun()
    # A new server leads the first page through app.py.
    del session.errors[REPLACED]
    for page in session.pages:
        session.page, session.address = page, ""
        await session.rerun()
    await session.socket.close()
    if session.errors:
        raise SystemExit(f"The pages do not open: {dict(session.errors)}")
