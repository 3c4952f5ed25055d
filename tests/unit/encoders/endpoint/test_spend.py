from tests.unit.encoders.endpoint.conftest import TEXTS
from vestige.encoders.endpoint.spend import Estimate, Spend


def test_an_estimate_sends_nothing_and_the_spend_is_the_servers_count(make, server):
    encoder = make(price=0.02)
    assert encoder.estimate(["abcd", "abcde", "abcd", ""]) == Estimate(3, 4, 4 * 0.02 / 1e6, "127.0.0.1", leaves=False)
    assert not server.asked
    encoder.encode(TEXTS)
    assert encoder.spent == Spend(7, 0, 50, server.tokens, server.tokens * 0.02 / 1e6)
    assert str(encoder.spent) == "7 requests (0 repeated), 50 texts answered, 250 tokens, less than $0.01 at list price"


def test_tokens_that_the_server_does_not_report_are_not_invented(make, server):
    server.usage = False
    encoder = make(price=0.02)
    encoder.encode(["a"])
    assert encoder.spent == Spend(1, 0, 1, None, None)
    assert str(encoder.spent) == "1 request (0 repeated), 1 text answered, tokens not reported by the server"


def test_estimates_read_well():
    paid = Estimate(12_000, 310_000, 310_000 * 0.02 / 1e6, "api.openai.com", leaves=True)
    assert str(paid) == "12,000 texts, about 310,000 tokens, about $0.01 at list price, to api.openai.com"
    little = Estimate(9, 90, 1e-6, "api.openai.com", leaves=True)
    assert str(little) == "9 texts, about 90 tokens, less than $0.01 at list price, to api.openai.com"
    assert (
        str(Estimate(1, 1, None, "::1", leaves=False))
        == "1 text, about 1 token, price not known, to ::1 on this machine"
    )
