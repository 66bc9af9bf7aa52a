"""Charts, tables and sentences for a page or a notebook; no Streamlit here."""

from .text import Provenance

__all__ = ["Provenance", "charts", "comparison_charts", "comparison_tables", "comparison_text"]
__all__ += ["convention_text", "data_tables", "joined_lists", "judge_charts", "ledger_text"]
__all__ += ["pictures", "query_charts", "ranking_charts", "report", "run_charts", "snippets"]
__all__ += ["tables", "text"]
