"""How far several judges of the same documents agree, and what their disagreement does to scores.

Each judge, a person or a model, is one `Qrels`; a judge may lack documents of the others.
"""

from .agreement import percent_agreement

__all__ = ["corrected", "judge_noise", "percent_agreement", "side_by_side", "what_counts"]
