"""Chen, Open-World Document Embedding Inversion Attack under Limited Query Access, NTU 2023."""
