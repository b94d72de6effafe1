"""Shared tasks of argument mining, each scored as its paper does: ``ruarg``, ``arct`` and ``aurc``.

Every result has ``tables()``, ``to_dict()`` and a ``signature`` line that names each option which changes a number.
"""
