"""The web app of ``aifgraph serve``: ``web`` has its addresses, ``jobs`` runs comparisons, ``worker`` is one of them,
``guard`` checks every request. Needs the extra ``web``."""
