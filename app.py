"""Rankscope: every ranking measure as the sum of its ledger. Run: streamlit run app.py"""

import os

# Before NumPy is loaded: one thread draws the random signs of a test in half the time of several.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import streamlit as st

from pages.ui import shell
from pages.ui.data import opened_files

if __name__ == "__main__":
    # Streamlit runs this file as a script for every session and on every rerun.
    st.set_page_config(
        page_title="Rankscope",
        page_icon=str(shell.ROOT / "pages" / "ui" / "icon.svg"),
        layout="wide",
        menu_items={"About": "Rankscope shows every ranking measure as the sum of its ledger."},
    )
    shell.run(opened_files.arrive)
else:
    # Imported only here: where the app runs without a server, its parts may not be installed.
    from starlette.middleware import Middleware

    from pages.ui.serving import middleware, server

    # `streamlit run` finds the app in the source of this file, and imports the file once.
    app = st.App(
        __file__,
        lifespan=server.ready,
        middleware=[
            Middleware(server.SecureHeaders),
            Middleware(middleware.OwnAddress),
            Middleware(middleware.Aliases),
            Middleware(middleware.KnownBrowser),
            Middleware(middleware.Styled),
            Middleware(middleware.BoundedUploads),
        ],
        exception_handlers={500: server.failed},
    )
