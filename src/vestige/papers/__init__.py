"""Papers run again on the public API: a folder a paper, published figures beside ours."""
