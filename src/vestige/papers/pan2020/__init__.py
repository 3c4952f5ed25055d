"""Pan, Zhang, Ji and Yang, Privacy Risks of General-Purpose Language Models, IEEE S&P 2020."""
