"""Write a table as Parquet."""

import io

from ..arrays import pd
from .as_json import described
from .table import Table


def parquet(table: Table) -> bytes:
    """Return the rows of a table without parts; the metadata hold the facts of its JSON."""
    frame, stream = pd.DataFrame(table.rows, columns=list(table.columns)), io.BytesIO()
    # pandas keeps these in the file, and `read_parquet` returns them.
    frame.attrs.update(described(table))
    frame.to_parquet(stream, index=False)
    return stream.getvalue()
