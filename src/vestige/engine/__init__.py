"""How work is run: items of a job on the cores of this machine or on a cluster, and the parts that they write."""
