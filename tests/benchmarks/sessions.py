"""What a browser says to Streamlit over its websocket, and as much of the answers as it takes.

A session opens a page and then uses its boxes, each by its label. What a browser does besides is
left out: it fetches no scripts, styles or fonts, draws nothing, and keeps no messages, so that the
server sends each in full. Of the widgets, it holds numbers and select boxes outside of forms; the
server knows what the others start with.
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

PATIENCE = 60.0
"""Seconds for one answer; what takes longer is an error."""

BOXES = ("k", "Measure", "Query")
"""What a session changes in turn, as far as the page shows it."""

Box = NumberInput | Selectbox


@dataclass
class Session:
    """One open page: its address, its boxes, what they hold, and what went wrong."""

    socket: ClientConnection
    draw: random.Random
    address: str = ""
    page: str = ""
    pages: list[str] = field(default_factory=list)
    shown: dict[str, Box] = field(default_factory=dict)
    held: dict[str, WidgetState] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    turn: int = 0

    async def rerun(self) -> float:
        """Run the script with what the boxes hold; the seconds until it has finished."""
        asked = BackMsg()
        asked.rerun_script.query_string = self.address
        asked.rerun_script.page_script_hash = self.page
        asked.rerun_script.widget_states.widgets.extend(self.held.values())
        data = asked.SerializeToString()
        start = time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            await self.socket.send(data)
            while not self._last(await self.socket.recv(decode=False)):
                pass
        return time.perf_counter() - start

    def change(self) -> None:
        """Put another value into the next of the boxes."""
        here = [label for label in BOXES if label in self.shown]
        if not here:
            self.errors["nothing to change"] += 1
            return
        box = self.shown[here[self.turn % len(here)]]
        self.turn += 1
        state = self.held[box.id]
        if isinstance(box, NumberInput):
            cutoffs = [k for k in range(1, 21) if k != state.double_value]
            state.double_value = self.draw.choice(cutoffs)
        else:
            others = [option for option in box.options if option != state.string_value]
            state.string_value = self.draw.choice(others)

    def _last(self, data: bytes) -> bool:
        """Take a message in; whether it is the last of a run."""
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
        """A run that gave way to another is an error too, and the other's end is waited for."""
        if status != ForwardMsg.FINISHED_SUCCESSFULLY:
            self.errors[ForwardMsg.ScriptFinishedStatus.Name(status)] += 1
        here = {box.id for box in self.shown.values()}
        self.held = {name: state for name, state in self.held.items() if name in here}
        return status != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def _take(self, element: Element) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.errors[f"exception: {element.exception.type}"] += 1
        elif kind in ("number_input", "selectbox"):
            box: Box = getattr(element, kind)
            if not box.form_id:
                self.shown[box.label] = box
                if box.set_value or box.id not in self.held:
                    self.held[box.id] = _start(box)


def _start(box: Box) -> WidgetState:
    """What a box holds before it is used, or when the script sets it."""
    if isinstance(box, NumberInput):
        return WidgetState(id=box.id, double_value=box.value if box.set_value else box.default)
    said = box.raw_value if box.set_value else box.options[box.default]
    return WidgetState(id=box.id, string_value=said)


async def opened(port: int, draw: random.Random, address: str = "") -> Session:
    """A session that has asked for nothing yet."""
    socket = await connect(
        f"ws://127.0.0.1:{port}/_stcore/stream",
        origin=Origin(f"http://127.0.0.1:{port}"),
        subprotocols=[Subprotocol("streamlit")],
        max_size=None,
        open_timeout=PATIENCE,
        ping_interval=None,
        proxy=None,
    )
    return Session(socket, draw, address, turn=draw.randrange(len(BOXES)))


async def walk(port: int) -> None:
    """Open each page once, and close it."""
    session = await opened(port, random.Random(0))
    await session.rerun()
    for page in session.pages:
        session.page, session.address = page, ""
        await session.rerun()
    await session.socket.close()
    if session.errors:
        raise SystemExit(f"The pages do not open: {dict(session.errors)}")
