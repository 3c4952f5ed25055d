"""Reproductions of papers on the public API: one package per paper, published figures next to ours.

A `Paper` names the module of each table; a table plans its rows, and `table.Table` measures them.
"""
