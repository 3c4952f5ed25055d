"""Files and databases that hold vectors, opened read-only.

`load.open_store` opens any of them as a `store.Store`. A new kind of store implements `table.VectorTable`.
"""
