"""Song and Raghunathan, Information Leakage in Embedding Models, CCS 2020."""
